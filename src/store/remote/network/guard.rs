//! Reserved addresses, to which no document or server may send us: link-local ones, where cloud
//! instances fetch their metadata and credentials.

use crate::error::{Error, Kind, Result};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use url::Url;

/// Reserved addresses that are not link-local: Alibaba's, Azure's, Oracle's.
const RESERVED: [Ipv4Addr; 3] = [
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(192, 0, 0, 192),
];

/// Whether an address is reserved, also an IPv4 address embedded in an IPv6 one.
pub fn is_reserved(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => v4.is_link_local() || RESERVED.contains(&v4),
        IpAddr::V6(v6) => {
            let [a, b, c, .., y, z] = v6.segments();
            let v4 = |high: u16, low: u16| Ipv4Addr::from(u32::from(high) << 16 | u32::from(low));
            let within = match (a, b) {
                // IPv4-mapped or -compatible, and the NAT64 prefix
                (0, 0) | (0x64, 0xff9b) => Some(v4(y, z)),
                // 6to4
                (0x2002, _) => Some(v4(b, c)),
                _ => None,
            };
            a & 0xffc0 == 0xfe80
                // Amazon's, Google's
                || (a, b) == (0xfd00, 0x0ec2)
                || v6 == Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)
                || within.is_some_and(|v4| is_reserved(v4.into()))
        }
    }
}

/// Refuses a URL whose host is itself a reserved address.
///
/// [`Kind::PermissionDenied`]: the address is reserved.
pub fn check(url: &Url) -> Result<()> {
    let host = url.host_str().unwrap_or_default();
    let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
    match address {
        Some(address) if is_reserved(address) => Err(refused(address)),
        _ => Ok(()),
    }
}

#[cold]
fn refused(address: IpAddr) -> Error {
    Error::new(
        Kind::PermissionDenied,
        format!(
            "{address} is where machines are told who they are: no document and no server may send \
             there that the option virtual_chunks does not name"
        ),
    )
}

/// Refuses the addresses of a name if any is reserved.
///
/// [`Kind::PermissionDenied`]: one is reserved.
pub fn check_addresses(found: &[SocketAddr]) -> Result<()> {
    match found.iter().find(|address| is_reserved(address.ip())) {
        Some(address) => Err(refused(address.ip())),
        None => Ok(()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn however_it_is_written() {
        for url in [
            "http://169.254.169.254/latest/meta-data/",
            "http://169.254.170.2/v2/credentials",
            "http://2852039166/",
            "http://0xa9.0xfe.0251.254./",
            "http://[::ffff:169.254.169.254]/",
            "http://[::169.254.169.254]/",
            "http://[64:ff9b::a9fe:a9fe]/",
            "http://[2002:a9fe:a9fe::1]/",
            "http://[fe80::1]/",
            "http://[fd00:ec2::254]/",
            "http://100.100.100.200/",
        ] {
            let e = check(&Url::parse(url).unwrap()).unwrap_err();
            assert_eq!(e.kind(), Kind::PermissionDenied, "{url}");
        }
        for url in ["http://127.0.0.1/", "http://10.0.0.1/", "http://[::1]/", "http://h/"] {
            assert!(check(&Url::parse(url).unwrap()).is_ok(), "{url}");
        }
    }
}
