//! Starts an Orch API server for tests: a real Kubernetes API in under a second, without etcd and without containers.
//!
//! ```no_run
//! let server = orchtest::Server::start()?;
//! let kubeconfig = server.kubeconfig();
//! # Ok::<(), orchtest::StartError>(())
//! ```

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const POLL_INTERVAL: Duration = Duration::from_millis(10);
const START_TIMEOUT: Duration = Duration::from_secs(30);
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// The server could not be started.
#[derive(Debug)]
pub enum StartError {
    Io(io::Error),
    /// It ended or did not become ready in time; with its output.
    NotReady { command: String, output: String },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Io(error) => write!(f, "cannot start Orch, set ORCH to its command: {error}"),
            StartError::NotReady { command, output } => write!(f, "{command} did not become ready:\n{output}"),
        }
    }
}

impl std::error::Error for StartError {}

impl From<io::Error> for StartError {
    fn from(error: io::Error) -> Self {
        StartError::Io(error)
    }
}

/// A running server with a data directory of its own. It stops, and its data are deleted, when the value is dropped.
#[derive(Debug)]
pub struct Server {
    child: Child,
    dir: TempDir,
    kubeconfig: String,
}

impl Server {
    /// Starts a server on a free port of loopback, with memory storage, and waits until it is ready.
    pub fn start() -> Result<Server, StartError> {
        Server::with_flags::<&str>(&[])
    }

    /// As `start`, with further flags of `orch serve`.
    pub fn with_flags<S: AsRef<str>>(flags: &[S]) -> Result<Server, StartError> {
        let dir = tempfile::Builder::new().prefix("orchtest-").tempdir()?;
        let output_path = dir.path().join("output");
        let output = File::create(&output_path)?;
        let mut words = command();
        words.extend(
            ["serve", "--dialect=kubernetes", "--storage=memory", "--bind-address=127.0.0.1", "--secure-port=auto"]
                .map(String::from),
        );
        words.push(format!("--data-dir={}", dir.path().join("data").display()));
        words.extend(flags.iter().map(|flag| flag.as_ref().to_string()));
        // The server ends with its standard input: also if this process is killed.
        let child = Command::new(&words[0])
            .args(&words[1..])
            .env("ORCH_END_WITH_STDIN", "1")
            .stdin(Stdio::piped())
            .stdout(output.try_clone()?)
            .stderr(output)
            .spawn()?;
        let mut server = Server { child, dir, kubeconfig: String::new() };
        if !server.wait_until_ready()? {
            let output = fs::read_to_string(output_path).unwrap_or_default();
            return Err(StartError::NotReady { command: words.join(" "), output });
        }
        Ok(server)
    }

    /// The kubeconfig of a cluster administrator.
    pub fn kubeconfig(&self) -> &str {
        &self.kubeconfig
    }

    /// A file with the kubeconfig, for programs such as kubectl.
    pub fn kubeconfig_path(&self) -> PathBuf {
        self.dir.path().join("data").join("kubeconfig")
    }

    /// The server writes its kubeconfig once it is ready.
    fn wait_until_ready(&mut self) -> io::Result<bool> {
        let deadline = Instant::now() + START_TIMEOUT;
        while Instant::now() < deadline {
            match fs::read_to_string(self.kubeconfig_path()) {
                Ok(kubeconfig) => {
                    self.kubeconfig = kubeconfig;
                    return Ok(true);
                }
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Err(_) if self.child.try_wait()?.is_some() => return Ok(false),
                Err(_) => sleep(POLL_INTERVAL),
            }
        }
        Ok(false)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let deadline = Instant::now() + STOP_TIMEOUT;
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            sleep(POLL_INTERVAL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The command that starts Orch: the environment variable ORCH, or orch in the PATH, or npx orch.
fn command() -> Vec<String> {
    let configured = std::env::var("ORCH").unwrap_or_default();
    let words: Vec<String> = configured.split_whitespace().map(String::from).collect();
    if !words.is_empty() {
        return words;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_installed = std::env::split_paths(&path).any(|dir| Path::new(&dir).join("orch").is_file());
    let words: &[&str] = if is_installed { &["orch"] } else { &["npx", "--yes", "orch"] };
    words.iter().map(|word| word.to_string()).collect()
}
