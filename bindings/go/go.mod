module zarrc

go 1.18
