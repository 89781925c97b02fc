//! Who comes to the arbiter console: accounts of a test's own, and a browser as far as the console needs one.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::PathBuf;

use argon2::password_hash::{PasswordHasher, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use serde_json::{Value, json};

use crate::peers::{Answer, Hall};

pub const PASSWORD: &str = "a long password";

/// An accounts file of a test's own.
pub struct Accounts(pub PathBuf);

impl Accounts {
    pub fn new(name: &str, accounts: &[(&str, &str)]) -> Accounts {
        let path = std::env::temp_dir().join(format!("luozi-accounts-{name}-{}.json", std::process::id()));
        let _ = std::fs::remove_file(&path);
        // Cheap sums: how slow they are is not what is tested.
        let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(8, 1, 1, None).unwrap());
        let salt = SaltString::encode_b64(b"saltsaltsalt").unwrap();
        let sum = argon.hash_password(PASSWORD.as_bytes(), &salt).unwrap();
        let list: Vec<Value> = accounts
            .iter()
            .map(|(name, role)| json!({ "name": name, "role": role, "password": sum.to_string() }))
            .collect();
        if !list.is_empty() {
            std::fs::write(&path, Value::from(list).to_string()).unwrap();
        }
        Accounts(path)
    }
}

impl Drop for Accounts {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A browser, as far as the console needs one.
pub struct Browser<'a> {
    hall: &'a Hall,
    pub cookie: String,
    pub csrf: String,
}

impl<'a> Browser<'a> {
    pub fn new(hall: &'a Hall) -> Browser<'a> {
        Browser { hall, cookie: String::new(), csrf: String::new() }
    }

    pub async fn send(&self, method: &str, path: &str, body: &str, extra: &str) -> Answer {
        let request = format!(
            "{method} /api/v1/arbiter/{path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nCookie: {}\r\n\
             x-luozi-csrf: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{extra}\r\n{body}",
            self.hall.address,
            self.cookie,
            self.csrf,
            body.len()
        );
        self.hall.request(&request).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", "").await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send("POST", path, &body.to_string(), "").await
    }

    /// Signs in or sets up, and keeps what the answer gives.
    pub async fn enter(&mut self, path: &str, body: Value) -> u16 {
        let answer = self.post(path, body).await;
        if answer.status() == 200 {
            let cookie = answer.header("set-cookie").unwrap();
            assert!(cookie.contains("httponly; samesite=strict"), "{cookie}");
            self.cookie = cookie.split(';').next().unwrap().to_owned();
            self.csrf = answer.json()["csrf"].as_str().unwrap().to_owned();
        }
        answer.status()
    }

    pub async fn sign_in(&mut self, name: &str) -> u16 {
        self.enter("login", json!({ "name": name, "password": PASSWORD })).await
    }
}
