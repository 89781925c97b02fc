//! What the venue says when it does not do what was asked, each with a word for programs and in three languages for people.

use axum::http::StatusCode;

use crate::language::Language;

/// An error in words.
#[derive(Debug)]
pub(super) struct Saying {
    pub status: StatusCode,
    /// Names it for programs, and never changes.
    pub code: &'static str,
    english: &'static str,
    hans: &'static str,
    hant: &'static str,
}

impl Saying {
    pub(super) fn in_language(&self, language: Language) -> &'static str {
        match language {
            Language::English => self.english,
            Language::Hans => self.hans,
            Language::Hant => self.hant,
        }
    }
}

macro_rules! sayings {
    ($($name:ident $status:ident $code:literal $english:literal $hans:literal $hant:literal)*) => {
        $(pub(super) static $name: Saying =
            Saying { status: StatusCode::$status, code: $code, english: $english, hans: $hans, hant: $hant };)*
        #[cfg(test)]
        static ALL: &[&Saying] = &[$(&$name),*];
    };
}

// In braces stands what differs from time to time: an address, an expected form, an answer.
sayings! {
    BAD_ADDRESS BAD_REQUEST "bad_address" "The address is not valid UTF-8."
        "地址不是有效的 UTF-8。" "地址不是有效的 UTF-8。"
    BAD_QUERY BAD_REQUEST "bad_query" "The query cannot be read; expected {}."
        "无法读取查询参数，应为 {}。" "無法讀取查詢參數，應為 {}。"
    BAD_BODY BAD_REQUEST "bad_body" "The body cannot be read; expected {}."
        "无法读取请求内容，应为 {}。" "無法讀取請求內容，應為 {}。"
    BAD_ORDER BAD_REQUEST "bad_order" "The order cannot be read: {}"
        "无法读取指令：{}" "無法讀取指令：{}"
    BAD_ID BAD_REQUEST "bad_id" "Ids have 1 to 64 letters, digits, - _ and ."
        "编号须为 1 至 64 个字母、数字、- _ 或 ." "編號須為 1 至 64 個字母、數字、- _ 或 ."
    BAD_REASON BAD_REQUEST "bad_reason" "A reason is one line of at most 500 characters."
        "理由须为一行，至多 500 字。" "理由須為一行，至多 500 字。"
    NO_REASON BAD_REQUEST "no_reason" "This order needs a reason."
        "此指令须说明理由。" "此指令須說明理由。"
    BAD_NAME BAD_REQUEST "bad_name" "A name has 1 to 40 characters."
        "姓名须为 1 至 40 字。" "姓名須為 1 至 40 字。"
    BAD_PASSWORD BAD_REQUEST "bad_password" "A password has 12 to 200 characters."
        "密码须为 12 至 200 个字符。" "密碼須為 12 至 200 個字元。"
    TOO_LARGE PAYLOAD_TOO_LARGE "too_large" "The body is larger than anything that is asked for here."
        "请求内容过大。" "請求內容過大。"
    NOT_SIGNED_IN UNAUTHORIZED "not_signed_in" "Nobody is signed in."
        "尚未登录。" "尚未登入。"
    WRONG_PASSWORD UNAUTHORIZED "wrong_password" "Name and password do not belong together."
        "姓名与密码不符。" "姓名與密碼不符。"
    FOREIGN FORBIDDEN "foreign" "The request comes from another site."
        "请求来自其他网站。" "請求來自其他網站。"
    FORGED FORBIDDEN "forged" "The request does not show the token of its page."
        "请求缺少本页的凭证。" "請求缺少本頁的憑證。"
    WRONG_CODE FORBIDDEN "wrong_code" "The code is not the one that the venue printed."
        "代码与服务器显示的不符。" "代碼與伺服器顯示的不符。"
    ORGANISERS_ONLY FORBIDDEN "organisers_only" "Only an organiser may do that."
        "仅主办方可以这样做。" "僅主辦方可以這樣做。"
    CHIEF_ONLY FORBIDDEN "chief_only" "Only the chief arbiter may do that (18.2)."
        "仅裁判长可以这样做（18.2）。" "僅裁判長可以這樣做（18.2）。"
    NOT_ORGANISERS FORBIDDEN "not_organisers" "Organisers leave the game to the arbiters (16.1)."
        "对局由裁判员负责，主办方不能干预（16.1）。" "對局由裁判員負責，主辦方不能干預（16.1）。"
    NOT_AT_HAND FORBIDDEN "not_at_hand" "Only the chief arbiter may undo an order that is not at hand."
        "该指令不在手边，仅裁判长可以撤销。" "該指令不在手邊，僅裁判長可以撤銷。"
    NO_RESOURCE NOT_FOUND "no_resource" "There is no such resource."
        "没有这个地址。" "沒有這個地址。"
    NO_GAME NOT_FOUND "no_game" "There is no game with this id."
        "没有这一局棋。" "沒有這一局棋。"
    NO_FORMAT NOT_FOUND "no_format" "There is no such format."
        "没有这种格式。" "沒有這種格式。"
    NO_BOARD NOT_FOUND "no_board" "There is no such board."
        "没有这个棋盘。" "沒有這個棋盤。"
    NOT_AT_BOARD NOT_FOUND "not_at_board" "There is no such game at this board."
        "这个棋盘上没有这一局棋。" "這個棋盤上沒有這一局棋。"
    NO_LINE NOT_FOUND "no_line" "The venue holds no such line."
        "服务器没有这一行记录。" "伺服器沒有這一行記錄。"
    NO_CONSOLE NOT_FOUND "no_console" "This venue has no arbiter console."
        "此服务器没有裁判台。" "此伺服器沒有裁判台。"
    NO_METHOD METHOD_NOT_ALLOWED "no_method" "This address does not take that method."
        "此地址不接受这种方法。" "此地址不接受這種方法。"
    FORMAT_TOO_SMALL CONFLICT "format_too_small" "This format cannot hold this game."
        "这种格式存不下这一局棋。" "這種格式存不下這一局棋。"
    NOT_WHOLE CONFLICT "not_whole" "The venue does not hold this game's evidence from its beginning."
        "服务器没有这一局从头开始的记录。" "伺服器沒有這一局從頭開始的記錄。"
    ALREADY_SET_UP CONFLICT "already_set_up" "There is an account already."
        "已有账户。" "已有帳戶。"
    NAME_TAKEN CONFLICT "name_taken" "Somebody has that name."
        "此姓名已被使用。" "此姓名已被使用。"
    REFUSED CONFLICT "refused" "The board refused: {}."
        "棋盘未执行：{}。" "棋盤未執行：{}。"
    TOO_MANY_ATTEMPTS TOO_MANY_REQUESTS "too_many_attempts" "Too many attempts failed; wait a minute."
        "失败次数过多，请稍候一分钟。" "失敗次數過多，請稍候一分鐘。"
    INTERNAL INTERNAL_SERVER_ERROR "internal" "The venue could not do it; its log says why."
        "服务器未能完成，原因见其日志。" "伺服器未能完成，原因見其日誌。"
    BUSY SERVICE_UNAVAILABLE "busy" "Too many ask at once; try again."
        "请求过多，请稍后再试。" "請求過多，請稍後再試。"
    NO_FONT SERVICE_UNAVAILABLE "no_font" "This venue was built without the font of what is printed."
        "此服务器没有打印所需的字体。" "此伺服器沒有列印所需的字型。"
    NO_KEY SERVICE_UNAVAILABLE "no_key" "This venue has no key to give orders with."
        "此服务器没有下达指令的密钥。" "此伺服器沒有下達指令的密鑰。"
    NOT_SENT SERVICE_UNAVAILABLE "not_sent" "The order did not leave: the broker cannot be reached. Give it again."
        "指令未发出：收不到消息服务器，请重新下达。" "指令未發出：收不到訊息伺服器，請重新下達。"
    TOO_MANY_ORDERS SERVICE_UNAVAILABLE "too_many_orders" "The order did not leave: too many wait for their answers. Give it again."
        "指令未发出：待答复的指令过多，请重新下达。" "指令未發出：待答覆的指令過多，請重新下達。"
    SILENCE GATEWAY_TIMEOUT "silence" "The board has not answered. It may carry the order out yet: sending it again tells."
        "棋盘尚未答复，但仍可能执行；再次发送即可得知。" "棋盤尚未答覆，但仍可能執行；再次傳送即可得知。"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the API's document has is what there is.
    #[test]
    fn every_code_is_documented_once() {
        let document: serde_json::Value = serde_json::from_str(include_str!("../../openapi.json")).unwrap();
        let codes = &document["components"]["schemas"]["Problem"]["properties"]["code"]["enum"];
        assert_eq!(*codes, serde_json::json!(ALL.iter().map(|one| one.code).collect::<Vec<_>>()));
    }

    #[test]
    fn every_language_leaves_room_for_the_same() {
        for saying in ALL {
            let rooms = [saying.english, saying.hans, saying.hant].map(|text| text.matches("{}").count());
            assert!(rooms.iter().all(|count| *count == rooms[0]), "{}", saying.code);
        }
    }
}
