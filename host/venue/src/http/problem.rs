//! Errors as RFC 9457 describes them.

use std::borrow::Cow;

use axum::extract::rejection::JsonRejection;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// An error answer: what went wrong, for programs and for people.
#[derive(Debug)]
pub(super) struct Problem {
    status: StatusCode,
    detail: Cow<'static, str>,
}

impl Problem {
    const fn fixed(status: StatusCode, detail: &'static str) -> Problem {
        Problem { status, detail: Cow::Borrowed(detail) }
    }

    pub(super) const fn not_found(detail: &'static str) -> Problem {
        Problem::fixed(StatusCode::NOT_FOUND, detail)
    }

    pub(super) fn method_not_allowed() -> Problem {
        Problem::fixed(StatusCode::METHOD_NOT_ALLOWED, "This address does not take that method.")
    }

    pub(super) fn bad_request(detail: impl Into<Cow<'static, str>>) -> Problem {
        Problem { status: StatusCode::BAD_REQUEST, detail: detail.into() }
    }

    /// A body that cannot be read: too large, or not what is expected.
    pub(super) fn of_body(rejection: &JsonRejection, expected: impl Into<Cow<'static, str>>) -> Problem {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Problem::fixed(
                StatusCode::PAYLOAD_TOO_LARGE,
                "The body is larger than anything that is asked for here.",
            ),
            _ => Problem::bad_request(expected),
        }
    }

    pub(super) fn conflict(detail: impl Into<Cow<'static, str>>) -> Problem {
        Problem { status: StatusCode::CONFLICT, detail: detail.into() }
    }

    pub(super) fn unavailable(detail: impl Into<Cow<'static, str>>) -> Problem {
        Problem { status: StatusCode::SERVICE_UNAVAILABLE, detail: detail.into() }
    }

    pub(super) fn silence(detail: &'static str) -> Problem {
        Problem::fixed(StatusCode::GATEWAY_TIMEOUT, detail)
    }

    pub(super) fn unauthorised() -> Problem {
        Problem::fixed(StatusCode::UNAUTHORIZED, "Nobody is signed in.")
    }

    pub(super) fn wrong_password() -> Problem {
        Problem::fixed(StatusCode::UNAUTHORIZED, "Name and password do not belong together.")
    }

    pub(super) fn forbidden(detail: &'static str) -> Problem {
        Problem::fixed(StatusCode::FORBIDDEN, detail)
    }

    pub(super) fn too_many() -> Problem {
        Problem::fixed(StatusCode::TOO_MANY_REQUESTS, "Too many attempts failed; wait a minute.")
    }

    pub(super) fn internal() -> Problem {
        Problem::fixed(StatusCode::INTERNAL_SERVER_ERROR, "The venue could not do it; its log says why.")
    }

    pub(super) fn busy_with_papers() -> Problem {
        Problem::fixed(StatusCode::SERVICE_UNAVAILABLE, "Too many sheets are being written; try again.")
    }

    pub(super) fn busy() -> Problem {
        Problem::fixed(StatusCode::SERVICE_UNAVAILABLE, "Too many viewers are connected; try again.")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct Body {
            r#type: &'static str,
            title: &'static str,
            status: u16,
            detail: Cow<'static, str>,
        }
        let title = self.status.canonical_reason().unwrap_or("Error");
        let body = Body { r#type: "about:blank", title, status: self.status.as_u16(), detail: self.detail };
        let text = serde_json::to_string(&body).unwrap_or_default();
        (self.status, [(header::CONTENT_TYPE, "application/problem+json")], text).into_response()
    }
}
