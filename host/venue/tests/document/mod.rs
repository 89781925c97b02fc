//! The API's document, and whether an answer is what it says.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::sync::LazyLock;

use serde_json::Value;

use crate::peers::Answer;

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../openapi.json")).unwrap());

/// The document.
pub fn document() -> &'static Value {
    &DOCUMENT
}

/// Where a value differs from its schema. Knows the few words of JSON Schema that the document uses, and is stricter than
/// JSON Schema in one thing: a key that is not documented is a difference.
fn differences(schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let document = document();
    if let Some(name) = schema["$ref"].as_str() {
        let found = document.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("{name}"));
        return differences(found, value, at);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let tries: Vec<_> = any.iter().map(|schema| differences(schema, value, at)).collect();
        return if tries.iter().any(Vec::is_empty) { Vec::new() } else { tries.concat() };
    }
    if schema["allOf"].is_array() {
        return differences(&merged(document, schema), value, at);
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.clone(),
        one => vec![one.clone()],
    };
    if !types.iter().any(|kind| is(value, kind.as_str().unwrap_or_default())) {
        return vec![format!("{at}: {value} is no {types:?}")];
    }
    if schema["enum"].as_array().is_some_and(|allowed| !allowed.contains(value)) {
        return vec![format!("{at}: {value} is not among {}", schema["enum"])];
    }
    match value {
        Value::Object(fields) => {
            let Some(known) = schema["properties"].as_object() else { return Vec::new() };
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let missing =
                required.filter(|key| !fields.contains_key(*key)).map(|key| format!("{at}.{key} is missing"));
            let each = fields.iter().flat_map(|(key, field)| match known.get(key) {
                Some(schema) => differences(schema, field, &format!("{at}.{key}")),
                None => vec![format!("{at}.{key} is not documented")],
            });
            missing.chain(each).collect()
        }
        Value::Array(items) => {
            items.iter().flat_map(|item| differences(&schema["items"], item, &format!("{at}[]"))).collect()
        }
        _ => Vec::new(),
    }
}

/// The methods that the document has for an address with `{…}` in it.
pub fn methods(path: &str) -> Vec<String> {
    let document = document();
    let operations = document["paths"][path].as_object();
    operations.into_iter().flat_map(|all| all.keys()).map(|method| method.to_uppercase()).collect()
}

/// Checks status, kind and body of an answer. `asked` is for the message.
pub fn check_answer(path: &str, method: &str, answer: &Answer, asked: &str) {
    let operation = &document()["paths"][path][method.to_lowercase()];
    let status = answer.status();
    if operation.is_null() {
        assert_eq!(status, 405, "{asked}\n{answer:?}");
        return check("Problem", &answer.json());
    }
    let content = operation["responses"][status.to_string()]["content"].as_object();
    let content = content
        .unwrap_or_else(|| panic!("{status} is not documented of {method} {path}: {asked}\n{answer:?}"));
    let kind = answer.header("content-type").unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    let schema =
        content.get(kind).unwrap_or_else(|| panic!("{kind} is not documented of {method} {path}: {asked}"));
    if kind.ends_with("json") {
        let found = differences(&schema["schema"], &answer.json(), path);
        assert_eq!(found, Vec::<String>::new(), "{asked}\n{answer:?}");
    }
    if status >= 400 {
        assert_eq!(answer.json()["status"], status, "{asked}\n{answer:?}");
        assert!(answer.json()["detail"].as_str().is_some_and(|detail| detail.len() > 8), "{answer:?}");
    }
}

/// The parts of an `allOf` as one object.
fn merged(document: &Value, schema: &Value) -> Value {
    let mut whole = serde_json::json!({"type": "object", "properties": {}, "required": []});
    for part in schema["allOf"].as_array().unwrap() {
        let part = part["$ref"]
            .as_str()
            .map_or(part, |name| document.pointer(name.trim_start_matches('#')).unwrap());
        for (key, field) in part["properties"].as_object().unwrap() {
            whole["properties"][key] = field.clone();
        }
        let required = part["required"].as_array().unwrap().clone();
        whole["required"].as_array_mut().unwrap().extend(required);
    }
    whole
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}

/// Whether a value is of the schema of that name.
pub fn check(name: &str, value: &Value) {
    let schema = serde_json::json!({ "$ref": format!("#/components/schemas/{name}") });
    assert_eq!(differences(&schema, value, name), Vec::<String>::new());
}
