! The job of a climate model: a variable on (lon, lat, time), one time step after the other, with coordinates,
! attributes, compression and a missing value; then read back one month of one region.
program climate
  use zarrc
  implicit none
  type(zarrc_store) :: store
  type(zarrc_array) :: temperature, lat
  real :: field(144, 72), region(10, 5, 12)
  integer :: month
  call store%open('climate.zarr', mode='w')
  call temperature%create(store, 'tas', shape=[144, 72, 12], kind=field(1, 1), chunks=[144, 72, 1], fill_value=1e20, &
    codec=['zstd'], dimension_names=['lon ', 'lat ', 'time'], attributes_json='{"units": "K", "standard_name": "air_temperature"}')
  call lat%create(store, 'lat', shape=[72], kind=field(1, 1), dimension_names=['lat'], attributes_json='{"units": "degrees_north"}')
  call lat%write([(-88.75 + 2.5 * (month - 1), month=1, 72)])
  do month = 1, 12
    field = 273.15 + month
    call temperature%write(field, start=[1, 1, month])
  end do
  call temperature%read(region, start=[20, 30, 1])
  if (any(region(:, :, 7) /= 273.15 + 7)) error stop 'wrong'
end program climate
