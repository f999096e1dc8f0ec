//! Who may ask: no web site but the server's own page, nobody without the token, nobody too often.

use crate::failure::ApiFailure;
use crate::rate::Rates;
use crate::settings::Settings;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// The cookie that holds the token after `/?token=…` was opened once.
const COOKIE: &str = "noregret_token";

/// What every answer says to browsers.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
         font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Decides about requests.
pub struct Guard {
    host: IpAddr,
    name: Option<String>,
    token: Option<blake3::Hash>,
    rates: Rates,
}

impl Guard {
    /// As the settings say.
    pub fn new(settings: &Settings) -> Self {
        let token = settings.token.as_ref().map(|token| blake3::hash(token.as_bytes()));
        Self { host: settings.host, name: settings.name.clone(), token, rates: Rates::default() }
    }

    fn check(&self, request: &Request) -> Result<(), ApiFailure> {
        let refused = |message: &str| Err(ApiFailure::new(StatusCode::FORBIDDEN, message));
        let headers = request.headers();
        self.check_target(request)?;
        let host = host(request).unwrap_or_default();
        if !self.is_own_name(&host) {
            return refused("this server does not answer to that Host: open the address that it printed");
        }
        if let Some(origin) = headers.get(header::ORIGIN)
            && origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://")) != Some(&*host)
        {
            return refused("requests from other web sites are refused (Origin)");
        }
        if headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site" || site == "same-site")
            && request.uri().path().starts_with("/api")
        {
            return refused("requests from other web sites are refused (Sec-Fetch-Site)");
        }
        if !self.has_token(headers) {
            let message = "a token is needed: open the address with `/?token=…` that the server printed, or send \
                           `Authorization: Bearer …`";
            return Err(ApiFailure::new(StatusCode::UNAUTHORIZED, message));
        }
        if matches!(*request.method(), Method::POST | Method::PUT | Method::DELETE | Method::PATCH)
            && !is_declared(headers, request.uri())
        {
            let message = "what changes something must say what it is: send `Content-Type: application/json` (for a \
                           solution file `application/octet-stream`)";
            return Err(ApiFailure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        Ok(())
    }

    /// Refuses requests that can be read in two ways: what stands between two programs may take the one Host, and this one the
    /// other.
    fn check_target(&self, request: &Request) -> Result<(), ApiFailure> {
        if request.headers().get_all(header::HOST).iter().count() > 1 {
            return Err(ApiFailure::request("the request has two Host headers: send one"));
        }
        if request.uri().scheme().is_some() || request.uri().authority().is_some() {
            return Err(ApiFailure::request(
                "the target of the request is a whole address: send its path only, like `GET /api/health`",
            ));
        }
        Ok(())
    }

    /// Whether a Host is one that a web site cannot give itself: a loopback name, or the address or name that was asked for.
    fn is_own_name(&self, host: &str) -> bool {
        let name = without_port(host);
        let Ok(address) = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() else {
            let own = self.name.as_deref().into_iter().chain(["localhost"]);
            return own.into_iter().any(|own| name.eq_ignore_ascii_case(own));
        };
        // Who listens on all addresses answers to all of them: names are what can be made to point here.
        address.is_loopback() || address == self.host || self.host.is_unspecified()
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        // Hashes compare in constant time.
        let is_it = |shown: &str| blake3::hash(shown.as_bytes()) == *token;
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let bearer = bearer.and_then(|value| value.split_once(' '));
        let bearer = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let bearer = bearer.map(|(_, token)| token.trim_start());
        bearer.is_some_and(is_it) || cookies(headers).any(is_it)
    }

    /// The answer to `/?token=…`: a cookie, and the page without the token in its address.
    fn admit(&self, request: &Request) -> Option<Response> {
        let token = self.token.as_ref()?;
        let query = request
            .uri()
            .query()
            .filter(|_| request.uri().path() == "/" && request.method() == Method::GET)?;
        let shown = query.split('&').find_map(|pair| pair.strip_prefix("token="))?;
        if self.check_target(request).is_err()
            || !self.is_own_name(&host(request)?)
            || blake3::hash(shown.as_bytes()) != *token
        {
            return None;
        }
        let cookie = format!("{COOKIE}={shown}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000");
        let cookie = HeaderValue::from_str(&cookie).ok()?;
        let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, "/")]).into_response();
        response.headers_mut().insert(header::SET_COOKIE, cookie);
        Some(response)
    }
}

/// What the client thinks that it talks to.
fn host(request: &Request) -> Option<String> {
    request.headers().get(header::HOST).and_then(|value| value.to_str().ok()).map(ToOwned::to_owned)
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port))
            if port.bytes().all(|byte| byte.is_ascii_digit())
                && (!name.contains(':') || name.ends_with(']')) =>
        {
            name
        }
        _ => host,
    }
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value)
}

/// Whether a request has a content type that no form of a web site can send unasked.
fn is_declared(headers: &HeaderMap, uri: &Uri) -> bool {
    let declared =
        headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match uri.path() {
        "/api/solutions" => kind == "application/octet-stream",
        _ => kind == "application/json",
    }
}

/// Lets a request through, or answers it.
pub async fn watch(
    State(guard): State<Arc<Guard>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let is_api = request.uri().path().starts_with("/api");
    let mut response = if !guard.rates.allow(peer.ip()) {
        ApiFailure::new(StatusCode::TOO_MANY_REQUESTS, "too many requests: wait a moment").into_response()
    } else if let Some(response) = guard.admit(&request) {
        response
    } else {
        match guard.check(&request) {
            Ok(()) => next.run(request).await,
            Err(failure) => failure.into_response(),
        }
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if is_api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use proptest::prelude::*;

    fn guard(host: &str, token: Option<&str>) -> Guard {
        let mut settings = Settings::new("unused".into());
        settings.host = host.parse().unwrap();
        settings.token = token.map(ToOwned::to_owned);
        Guard::new(&settings)
    }

    fn status(guard: &Guard, method: &str, path: &str, headers: &[(&str, &str)]) -> Option<u16> {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let failure = guard.check(&request.body(Body::empty()).unwrap()).err()?;
        Some(failure.into_response().status().as_u16())
    }

    #[test]
    fn only_loopback_names_and_the_own_address_are_answered_to() {
        let here = guard("127.0.0.1", None);
        for good in ["localhost", "localhost:4242", "127.0.0.1:1", "[::1]:4242", "LOCALHOST:1", "127.0.0.5"] {
            assert_eq!(status(&here, "GET", "/api/health", &[("host", good)]), None, "{good}");
        }
        for bad in [
            "evil.example",
            "evil.example:4242",
            "192.168.0.7:4242",
            "",
            "localhost.evil.example",
            "::1x",
            "[::2]",
        ] {
            assert_eq!(status(&here, "GET", "/api/health", &[("host", bad)]), Some(403), "{bad}");
        }
        assert_eq!(status(&here, "GET", "/api/health", &[]), Some(403));
        let lan = guard("192.168.0.7", Some("t"));
        let token = ("authorization", "Bearer t");
        assert_eq!(status(&lan, "GET", "/", &[("host", "192.168.0.7:4242"), token]), None);
        assert_eq!(status(&lan, "GET", "/", &[("host", "192.168.0.8:4242"), token]), Some(403));
        let everywhere = guard("0.0.0.0", Some("t"));
        assert_eq!(status(&everywhere, "GET", "/", &[("host", "10.0.0.3:80"), token]), None);
        assert_eq!(status(&everywhere, "GET", "/", &[("host", "evil.example"), token]), Some(403));
        let mut settings = Settings::new("unused".into());
        settings.name = Some("box.lan".to_owned());
        let named = Guard::new(&settings);
        assert_eq!(status(&named, "GET", "/", &[("host", "Box.lan:4242")]), None);
        assert_eq!(status(&named, "GET", "/", &[("host", "box.lan.evil.example")]), Some(403));
    }

    #[test]
    fn other_origins_are_refused() {
        let here = guard("127.0.0.1", None);
        let host = ("host", "localhost:4242");
        assert_eq!(status(&here, "GET", "/api/health", &[host, ("origin", "http://localhost:4242")]), None);
        for bad in ["http://evil.example", "https://localhost:4242", "http://localhost:1", "null", ""] {
            assert_eq!(status(&here, "GET", "/api/health", &[host, ("origin", bad)]), Some(403), "{bad}");
        }
        assert_eq!(status(&here, "GET", "/api/health", &[host, ("sec-fetch-site", "cross-site")]), Some(403));
    }

    #[test]
    fn requests_that_can_be_read_in_two_ways_are_refused() {
        let here = guard("127.0.0.1", None);
        let host = ("host", "localhost:4242");
        assert_eq!(status(&here, "GET", "/api/health", &[host, host]), Some(400));
        assert_eq!(status(&here, "GET", "/api/health", &[host, ("host", "evil.example")]), Some(400));
        assert_eq!(status(&here, "GET", "http://localhost:4242/api/health", &[host]), Some(400));
        assert_eq!(status(&here, "GET", "/api/health", &[]), Some(403));
    }

    #[test]
    fn the_token_comes_as_a_header_or_a_cookie() {
        let guard = guard("127.0.0.1", Some("secret"));
        let host = ("host", "localhost:4242");
        let with = |name, value| status(&guard, "GET", "/api/health", &[host, (name, value)]);
        for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
            let value = format!("{scheme} secret");
            let headers = [host, ("authorization", value.as_str())];
            assert_eq!(status(&guard, "GET", "/api/health", &headers), None, "{scheme}");
        }
        assert_eq!(with("cookie", "a=b; noregret_token=secret"), None);
        for (name, value) in [
            ("authorization", "Bearer secre"),
            ("authorization", "Bearersecret"),
            ("authorization", "Basic secret"),
            ("authorization", "secret"),
            ("cookie", "noregret_token=x"),
            ("x", "y"),
        ] {
            assert_eq!(with(name, value), Some(401), "{name}: {value}");
        }
        let open = |uri: &str| {
            guard.admit(&Request::builder().uri(uri).header("host", "localhost").body(Body::empty()).unwrap())
        };
        let admitted = open("/?token=secret").unwrap();
        assert_eq!(admitted.status(), StatusCode::SEE_OTHER);
        let cookie = admitted.headers()[header::SET_COOKIE].to_str().unwrap();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
        assert!(open("/?token=wrong").is_none() && open("/api?token=secret").is_none());
    }

    #[test]
    fn what_changes_something_declares_its_content() {
        let here = guard("127.0.0.1", None);
        let host = ("host", "localhost:4242");
        let with = |path, kind| status(&here, "POST", path, &[host, ("content-type", kind)]);
        assert_eq!(with("/api/solves/1/stop", "application/json; charset=utf-8"), None);
        assert_eq!(with("/api/solves/1/stop", "text/plain"), Some(415));
        assert_eq!(with("/api/solutions", "application/octet-stream"), None);
        assert_eq!(with("/api/solutions", "application/json"), Some(415));
        assert_eq!(status(&here, "DELETE", "/api/solves/1", &[host]), Some(415));
    }

    proptest! {
        #[test]
        fn no_header_panics(host in "[ -~]{0,30}", origin in "[ -~]{0,30}", cookie in "[ -~]{0,40}") {
            let guard = guard("127.0.0.1", Some("secret"));
            status(&guard, "POST", "/api/solves", &[("host", &host), ("origin", &origin), ("cookie", &cookie)]);
        }
    }
}
