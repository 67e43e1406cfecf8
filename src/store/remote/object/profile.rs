//! The profile files of AWS: `~/.aws/config` and `~/.aws/credentials`.
//! <https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html>

use crate::error::{Error, Kind, Result};
use crate::store::nearest;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// No profile file is larger (bytes).
const LARGEST: u64 = 1 << 20;

/// The settings of a profile, by their names in the files; those nested in `s3 =` as `s3.name`.
#[derive(Default)]
pub struct Profile {
    name: String,
    settings: BTreeMap<String, String>,
}

impl Profile {
    /// Loads the profile `name`; without a name the one that the environment names, else `default`
    /// if it exists.
    ///
    /// [`Kind::InvalidArgument`]: there is none of that name; [`Kind::Io`]: a file cannot be read.
    pub fn load(name: Option<&str>) -> Result<Profile> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let file = |of: &str, usual: &str| {
            let home = || variable("HOME").map(|home| PathBuf::from(home).join(".aws").join(usual));
            variable(of).map(PathBuf::from).or_else(home)
        };
        let config = read(file("AWS_CONFIG_FILE", "config"))?;
        let credentials = read(file("AWS_SHARED_CREDENTIALS_FILE", "credentials"))?;
        let named = name.map(str::to_owned).or_else(|| variable("AWS_PROFILE"));
        Profile::find(&config, &credentials, named.as_deref())
    }

    fn find(config: &str, credentials: &str, named: Option<&str>) -> Result<Profile> {
        let config = sections(config);
        let credentials = sections(credentials);
        let name = named.unwrap_or("default");
        let in_config = match name {
            "default" => config.get("default").or(config.get("profile default")),
            name => config.get(&format!("profile {name}")),
        };
        let in_credentials = credentials.get(name);
        if in_config.is_none() && in_credentials.is_none() && named.is_some() {
            let profiles = config.keys().filter_map(|key| key.strip_prefix("profile "));
            let known = profiles.chain(credentials.keys().map(String::as_str)).chain(["default"]);
            let hint = nearest(name, known);
            return Err(Error::invalid(format!(
                "there is no AWS profile {name:?}: did you mean {hint:?}?"
            )));
        }
        // the services section first, then the profile's own settings; keys of `credentials`
        // precede
        let mut settings = BTreeMap::new();
        let services = in_config.and_then(|own| own.get("services"));
        let services = services.and_then(|of| config.get(&format!("services {of}")));
        for section in [services, in_config, in_credentials].into_iter().flatten() {
            settings.extend(section.clone());
        }
        Ok(Profile { name: name.to_owned(), settings })
    }

    /// All settings.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.settings.iter().map(|(name, value)| (&name[..], &value[..]))
    }

    /// The setting `name`.
    fn get(&self, name: &str) -> Option<&str> {
        self.settings.get(name).map(String::as_str)
    }

    /// Fails if the profile gets its credentials in an unsupported way.
    ///
    /// [`Kind::Unsupported`]: it does.
    pub fn check_credentials(&self) -> Result<()> {
        // a role with a token file is supported
        if self.get("aws_access_key_id").or(self.get("web_identity_token_file")).is_some() {
            return Ok(());
        }
        for (setting, how) in [
            ("credential_process", "a program"),
            ("sso_session", "a login in the browser"),
            ("sso_start_url", "a login in the browser"),
            ("role_arn", "taking on a role"),
        ] {
            if self.get(setting).is_some() {
                return Err(Error::unsupported(format!(
                    "the AWS profile {:?} gets its credentials by {how} ({setting}), which is not \
                     done here: hand them over, as `eval \"$(aws configure export-credentials \
                     --profile {} --format env)\"` does",
                    self.name, self.name
                )));
            }
        }
        Ok(())
    }
}

/// The text of a file; empty if it is absent.
fn read(path: Option<PathBuf>) -> Result<String> {
    let Some(path) = path else { return Ok(String::new()) };
    let fail =
        |why: String| Error::new(Kind::Io, format!("AWS profiles {}: {why}", path.display()));
    match std::fs::metadata(&path) {
        Ok(found) if found.len() > LARGEST => Err(fail("it is too large".into())),
        Ok(_) => std::fs::read_to_string(&path).map_err(|e| fail(e.to_string())),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(e) => Err(fail(e.to_string())),
    }
}

/// The sections of a file by name, with their settings.
fn sections(text: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut found: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut section = None;
    let mut parent = String::new();
    for line in text.lines() {
        let words = line.trim();
        if words.is_empty() || words.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = words.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            let name: Vec<_> = name.split_whitespace().collect();
            let name = name.join(" ").replace('"', "");
            found.entry(name.clone()).or_default();
            section = Some(name);
            continue;
        }
        let (Some(section), Some((name, value))) = (&section, words.split_once('=')) else {
            continue;
        };
        // a comment starts after a space
        let value = value.split(" #").next().unwrap_or_default();
        let value = value.split(" ;").next().unwrap_or_default().trim();
        let mut name = name.trim().to_ascii_lowercase();
        if line.starts_with(char::is_whitespace) {
            name = format!("{parent}.{name}");
        } else {
            parent.clone_from(&name);
        }
        if let Some(section) = found.get_mut(section) {
            section.insert(name, value.to_owned());
        }
    }
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const CONFIG: &str = "
# a comment
[default]
region = eu-central-1
[profile work]
region=us-west-2 # where it is
services = mine
role_arn = arn:x
s3 =
  addressing_style = virtual
output = json
[services mine]
s3 =
    endpoint_url = http://127.0.0.1:9000
[profile by-program]
credential_process = /bin/keys
";
    const CREDENTIALS: &str = "
[work]
aws_access_key_id = AKIA
aws_secret_access_key = se=cret/+==
aws_session_token=token
";

    #[test]
    fn both_files_make_a_profile() {
        let work = Profile::find(CONFIG, CREDENTIALS, Some("work")).unwrap();
        for (name, value) in [
            ("region", "us-west-2"),
            ("aws_access_key_id", "AKIA"),
            ("aws_secret_access_key", "se=cret/+=="),
            ("aws_session_token", "token"),
            ("s3.addressing_style", "virtual"),
            ("s3.endpoint_url", "http://127.0.0.1:9000"),
            ("output", "json"),
        ] {
            assert_eq!(work.get(name), Some(value), "{name}");
        }
        work.check_credentials().unwrap();
        let default = Profile::find(CONFIG, CREDENTIALS, None).unwrap();
        assert_eq!(default.get("region"), Some("eu-central-1"));
        assert!(Profile::find("", "", None).unwrap().get("region").is_none());
    }

    #[test]
    fn what_is_missing_or_not_done_says_so() {
        let e = Profile::find(CONFIG, CREDENTIALS, Some("wrok")).err().unwrap();
        assert!(e.to_string().contains("did you mean \"work\""), "{e}");
        let other = Profile::find(CONFIG, CREDENTIALS, Some("by-program")).unwrap();
        let e = other.check_credentials().unwrap_err();
        assert_eq!(e.kind(), Kind::Unsupported);
        assert!(e.to_string().contains("credential_process"), "{e}");
    }

    #[test]
    fn any_text_is_taken() {
        for text in ["[", "[]", "=", "a=b", "[x\n=\n ==\n]", "[profile]\n a.b = c\n"] {
            sections(text);
        }
    }
}
