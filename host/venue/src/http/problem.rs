//! Errors as RFC 9457 describes them, in the language that is asked for.

use std::borrow::Cow;

use axum::extract::Request;
use axum::extract::rejection::JsonRejection;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::saying::{self, Saying};
use crate::language::Language;

/// An error answer: what went wrong, for programs and for people.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    saying: &'static Saying,
    /// What stands where the saying leaves room.
    note: Cow<'static, str>,
    /// Why a board has refused an order, in its word.
    refusal: Option<String>,
}

impl From<&'static Saying> for Problem {
    fn from(saying: &'static Saying) -> Problem {
        Problem { saying, note: Cow::Borrowed(""), refusal: None }
    }
}

impl Problem {
    /// A saying, and what stands where it leaves room.
    pub(super) fn with(saying: &'static Saying, note: impl Into<Cow<'static, str>>) -> Problem {
        Problem { note: note.into(), ..saying.into() }
    }

    /// A board has refused an order.
    pub(super) fn refused(word: String, text: String) -> Problem {
        Problem { refusal: Some(word), ..Problem::with(&saying::REFUSED, text) }
    }

    /// A body that cannot be read: too large, or not what is expected.
    pub(super) fn of_body(rejection: &JsonRejection, expected: &'static str) -> Problem {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Problem::from(&saying::TOO_LARGE),
            _ => Problem::with(&saying::BAD_BODY, expected),
        }
    }

    /// An order that cannot be read: too large, or for the reason that the reader gives.
    pub(super) fn of_order(rejection: &JsonRejection) -> Problem {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Problem::from(&saying::TOO_LARGE),
            _ => Problem::with(&saying::BAD_ORDER, rejection.body_text()),
        }
    }

    fn answer(&self, language: Language) -> Response {
        #[derive(Serialize)]
        struct Body<'a> {
            r#type: &'static str,
            title: &'static str,
            status: u16,
            code: &'static str,
            detail: String,
            #[serde(skip_serializing_if = "Option::is_none")]
            refusal: Option<&'a str>,
        }
        let Saying { status, code, .. } = *self.saying;
        let body = Body {
            r#type: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            code,
            detail: self.saying.in_language(language).replace("{}", &self.note),
            refusal: self.refusal.as_deref(),
        };
        let text = serde_json::to_string(&body).unwrap_or_default();
        let headers = [
            (header::CONTENT_TYPE, "application/problem+json"),
            (header::CONTENT_LANGUAGE, language.tag()),
            (header::VARY, "accept-language"),
        ];
        (status, headers, text).into_response()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut answer = self.answer(Language::English);
        answer.extensions_mut().insert(self);
        answer
    }
}

/// Words a problem in the language that the request asks for. What answers does not know the request any more.
pub(super) async fn in_the_language_asked_for(request: Request, next: Next) -> Response {
    let language = Language::of(request.headers());
    let answer = next.run(request).await;
    let Some(problem) = answer.extensions().get::<Problem>().filter(|_| language != Language::English) else {
        return answer;
    };
    let mut worded = problem.answer(language);
    for (name, value) in answer.headers() {
        if !worded.headers().contains_key(name) && name != header::CONTENT_LENGTH {
            worded.headers_mut().insert(name, HeaderValue::clone(value));
        }
    }
    worded
}
