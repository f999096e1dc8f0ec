//! Connections to buckets, and the threads that wait for their answers.

use crate::provider::Provider;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::multipart::MultipartStore;
use object_store::{BackoffConfig, ClientConfigKey, Error, ObjectStore, RetryConfig};
use std::collections::HashMap;
use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// A bucket that parts can be written to in any order.
pub trait Bucket: ObjectStore + MultipartStore {}

impl<T: ObjectStore + MultipartStore> Bucket for T {}

/// How long one request may take, unless the environment says so.
const TIMEOUT: &str = "120 seconds";
/// How often one request is repeated after a 5xx or a lost connection, and how long that may take.
const RETRIES: usize = 10;
const RETRY_FOR: Duration = Duration::from_secs(180);
/// The same where no credentials are given: asking a machine that is not there for some is soon over.
const FEW_RETRIES: usize = 3;

/// How long an address may take to be seen to refuse.
const CONNECT: Duration = Duration::from_secs(3);

/// The variables of the environment that say how to reach a bucket.
type Environment = Vec<(String, String)>;

/// What one process has opened. A forked child has none of the threads of its parent, and begins anew.
struct Connections {
    process: u32,
    runtime: Arc<Runtime>,
    buckets: HashMap<(Provider, String, Environment), Arc<dyn Bucket>>,
}

static CONNECTIONS: Mutex<Option<Connections>> = Mutex::new(None);

fn with_connections<T>(work: impl FnOnce(&mut Connections) -> T) -> io::Result<T> {
    let mut connections = CONNECTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some(parents) = connections.take_if(|connections| connections.process != process) {
        // Dropping would wait for threads that are not there.
        std::mem::forget(parents);
    }
    if connections.is_none() {
        // The one provider of ciphers that is linked; a second call changes nothing.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("object-storage")
            .enable_all()
            .build()?;
        *connections = Some(Connections { process, runtime: Arc::new(runtime), buckets: HashMap::new() });
    }
    match connections.as_mut() {
        Some(connections) => Ok(work(connections)),
        None => Err(io::Error::other("there are no connections")),
    }
}

/// Waits for something on threads of its own: also for callers that are on the threads of another runtime, where they may not wait
/// in any other way.
pub fn run<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> io::Result<T> {
    begin(work)?()
}

/// The same without waiting: who calls what is returned does.
pub fn begin<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> io::Result<impl FnOnce() -> io::Result<T> + Send> {
    let runtime = with_connections(|connections| connections.runtime.clone())?;
    let (sender, receiver) = sync_channel(1);
    runtime.spawn(async move {
        // Nobody listens who has given up.
        let _ = sender.send(work.await);
    });
    Ok(move || receiver.recv().map_err(|_| io::Error::other("the request was given up")))
}

/// A bucket, opened once as long as the environment is the same.
pub fn bucket(provider: Provider, name: &str) -> Result<Arc<dyn Bucket>, Error> {
    let failed = |error: io::Error| Error::Generic { store: "noregret", source: error.into() };
    with_connections(|connections| {
        let environment = environment(provider);
        let key = (provider, name.to_owned(), environment);
        if let Some(known) = connections.buckets.get(&key) {
            return Ok(known.clone());
        }
        // The threads of reqwest's resolver are those of the runtime.
        let _inside = connections.runtime.enter();
        let opened = open(provider, name, &key.2)?;
        connections.buckets.insert(key, opened.clone());
        Ok(opened)
    })
    .map_err(failed)?
}

fn environment(provider: Provider) -> Environment {
    let prefix = match provider {
        Provider::S3 => "AWS_",
        Provider::Google => "GOOGLE_",
        Provider::Azure => "AZURE_",
    };
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let mut variables: Environment = variables.filter(|(name, _)| name.starts_with(prefix)).collect();
    variables.sort();
    variables
}

/// Sees at once that nobody is at an address, which would be tried for minutes otherwise. What takes longer to find out is left to
/// whoever asks for something, and so is everything behind a proxy.
fn find(endpoint: &str) -> Result<(), String> {
    let proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
    let Some((scheme, rest)) = endpoint.split_once("://") else { return Ok(()) };
    let host = rest.split('/').next().unwrap_or(rest);
    if host.starts_with('[') || proxies.iter().any(|name| std::env::var_os(name).is_some()) {
        return Ok(());
    }
    let address = match host.contains(':') {
        true => host.to_owned(),
        false => format!("{host}:{}", if scheme == "http" { 80 } else { 443 }),
    };
    let found = address.to_socket_addrs().map_err(|error| format!("dns error: {error}"))?;
    let refused = |address: &SocketAddr| match TcpStream::connect_timeout(address, CONNECT) {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => Some(error),
        _ => None,
    };
    let refusals: Vec<Option<io::Error>> = found.map(|address| refused(&address)).collect();
    match refusals.into_iter().collect::<Option<Vec<io::Error>>>().and_then(|mut all| all.pop()) {
        Some(error) => Err(format!("tcp connect error: {error}")),
        None => Ok(()),
    }
}

fn open(provider: Provider, name: &str, environment: &Environment) -> Result<Arc<dyn Bucket>, Error> {
    #[cfg(test)]
    if let Some(memory) = super::tests::memory(name) {
        return Ok(memory);
    }
    let has = |wanted: &[&str]| environment.iter().any(|(name, _)| wanted.contains(&name.as_str()));
    let retry = |has_credentials: bool| RetryConfig {
        backoff: BackoffConfig { max_backoff: Duration::from_secs(10), ..BackoffConfig::default() },
        max_retries: if has_credentials { RETRIES } else { FEW_RETRIES },
        retry_timeout: RETRY_FOR,
    };
    Ok(match provider {
        Provider::S3 => {
            let credentials = [
                "AWS_ACCESS_KEY_ID",
                "AWS_WEB_IDENTITY_TOKEN_FILE",
                "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
                "AWS_CONTAINER_CREDENTIALS_FULL_URI",
                "AWS_SKIP_SIGNATURE",
            ];
            let mut builder =
                AmazonS3Builder::from_env().with_bucket_name(name).with_retry(retry(has(&credentials)));
            // Not every store deletes several at once.
            builder = builder.with_config(AmazonS3ConfigKey::DisableBulkDelete, "true");
            if !has(&["AWS_TIMEOUT"]) {
                builder = builder.with_config(AmazonS3ConfigKey::Client(ClientConfigKey::Timeout), TIMEOUT);
            }
            if let Some(endpoint) = builder.get_config_value(&AmazonS3ConfigKey::Endpoint) {
                // Whoever names an address without encryption means it.
                if endpoint.starts_with("http://") {
                    builder = builder.with_allow_http(true);
                }
                if !has(&["AWS_PROXY_URL"]) {
                    find(&endpoint).map_err(|error| Error::Generic { store: "S3", source: error.into() })?;
                }
            }
            Arc::new(builder.build()?)
        }
        Provider::Google => {
            let credentials = [
                "GOOGLE_SERVICE_ACCOUNT",
                "GOOGLE_SERVICE_ACCOUNT_PATH",
                "GOOGLE_SERVICE_ACCOUNT_KEY",
                "GOOGLE_APPLICATION_CREDENTIALS",
                "GOOGLE_BEARER_TOKEN",
                "GOOGLE_SKIP_SIGNATURE",
            ];
            let mut builder = GoogleCloudStorageBuilder::from_env()
                .with_bucket_name(name)
                .with_retry(retry(has(&credentials)));
            if !has(&["GOOGLE_TIMEOUT"]) {
                builder = builder.with_config(GoogleConfigKey::Client(ClientConfigKey::Timeout), TIMEOUT);
            }
            Arc::new(builder.build()?)
        }
        Provider::Azure => {
            let credentials = [
                "AZURE_STORAGE_ACCOUNT_KEY",
                "AZURE_STORAGE_ACCESS_KEY",
                "AZURE_STORAGE_SAS_TOKEN",
                "AZURE_STORAGE_SAS_KEY",
                "AZURE_CLIENT_ID",
                "AZURE_STORAGE_CLIENT_ID",
                "AZURE_STORAGE_TOKEN",
            ];
            let mut builder = MicrosoftAzureBuilder::from_env()
                .with_container_name(name)
                .with_retry(retry(has(&credentials)));
            if !has(&["AZURE_TIMEOUT"]) {
                builder = builder.with_config(AzureConfigKey::Client(ClientConfigKey::Timeout), TIMEOUT);
            }
            Arc::new(builder.build()?)
        }
    })
}
