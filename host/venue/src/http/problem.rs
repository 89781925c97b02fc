//! Errors as RFC 9457 describes them.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// An error answer: what went wrong, for programs and for people.
#[derive(Debug)]
pub(super) struct Problem {
    status: StatusCode,
    detail: &'static str,
}

impl Problem {
    pub(super) const fn not_found(detail: &'static str) -> Problem {
        Problem { status: StatusCode::NOT_FOUND, detail }
    }

    pub(super) fn method_not_allowed() -> Problem {
        Problem { status: StatusCode::METHOD_NOT_ALLOWED, detail: "This resource can only be read." }
    }

    pub(super) fn bad_request(detail: &'static str) -> Problem {
        Problem { status: StatusCode::BAD_REQUEST, detail }
    }

    pub(super) fn conflict(detail: &'static str) -> Problem {
        Problem { status: StatusCode::CONFLICT, detail }
    }

    pub(super) fn unauthorised() -> Problem {
        Problem { status: StatusCode::UNAUTHORIZED, detail: "Nobody is signed in." }
    }

    pub(super) fn wrong_password() -> Problem {
        Problem { status: StatusCode::UNAUTHORIZED, detail: "Name and password do not belong together." }
    }

    pub(super) fn forbidden(detail: &'static str) -> Problem {
        Problem { status: StatusCode::FORBIDDEN, detail }
    }

    pub(super) fn too_many() -> Problem {
        Problem { status: StatusCode::TOO_MANY_REQUESTS, detail: "Too many attempts failed; wait a minute." }
    }

    pub(super) fn internal() -> Problem {
        Problem {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            detail: "The venue could not do it; its log says why.",
        }
    }

    pub(super) fn busy() -> Problem {
        Problem {
            status: StatusCode::SERVICE_UNAVAILABLE,
            detail: "Too many viewers are connected; try again.",
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct Body {
            r#type: &'static str,
            title: &'static str,
            status: u16,
            detail: &'static str,
        }
        let title = self.status.canonical_reason().unwrap_or("Error");
        let body = Body { r#type: "about:blank", title, status: self.status.as_u16(), detail: self.detail };
        let text = serde_json::to_string(&body).unwrap_or_default();
        (self.status, [(header::CONTENT_TYPE, "application/problem+json")], text).into_response()
    }
}
