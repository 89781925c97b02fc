// Why an order, a button or a claim was not carried out, in words.

/** By the word that the board gives. */
type Refusals = Readonly<Record<string, string>>

export const refusals: Readonly<Record<'en' | 'hans' | 'hant', Refusals>> = {
  en: {
    unknown_key: 'this board does not know the key of this venue', bad_signature: 'the signature is not that of the key', other_name: 'that key does not give orders in that name',
    other_board: 'the order is for another board', other_game: 'another game is on the board by now', no_game: 'there is no game on the board', no_camera: 'this board has no camera', camera_busy: 'a picture is being taken; ask again when it is done', unreadable: 'the board cannot read the order', too_many: 'the board takes no more orders in this game',
    no_name: 'an order needs the arbiter’s name', no_reason: 'this order needs a reason', game_over: 'the game is over', not_over: 'the game is not over',
    no_clock: 'the game is played without a clock', no_such_foul: 'there is no such foul that still counts', no_foul: 'so many missed lines make no foul in this event',
    no_claim: 'no claim waits for a ruling', claim_waits: 'a claim waits for its ruling first', wrong_ruling: 'that ruling does not fit the claim',
    no_offer: 'no draw offer waits for an answer', no_such_ply: 'there is no such move to decide about', not_a_reading: 'that move is not among the readings',
    score_mismatch: 'that reason does not lead to that result', cannot_undo: 'there is no such order that can be undone', which_side: 'the panel does not tell which side pressed',
    signed: 'that signature is there already', not_absent: 'that player was not marked as absent', not_started: 'the clock has not been started',
    already_started: 'the clock has been started already', not_running: 'the other side’s clock is running', paused: 'the clock is paused', not_paused: 'the clock is not paused',
    too_much: 'that is more time than a clock shows', unknown: 'this board does not know that order, or not with what came with it',
  },
  hans: {
    unknown_key: '此棋盘不认识本服务器的密钥', bad_signature: '签名与密钥不符', other_name: '该密钥不能以此姓名下达指令',
    other_board: '指令属于另一棋盘', other_game: '棋盘上已是另一局棋', no_game: '棋盘上没有对局', no_camera: '此棋盘没有摄像头', camera_busy: '正在拍照,拍完后再试', unreadable: '棋盘无法读取此指令', too_many: '本局指令过多，棋盘不再接受',
    no_name: '指令缺少裁判姓名', no_reason: '此指令须说明理由', game_over: '对局已结束', not_over: '对局尚未结束',
    no_clock: '本局不用棋钟', no_such_foul: '没有这一仍有效的犯规', no_foul: '漏记行数在本次比赛中不构成犯规',
    no_claim: '没有待裁决的提请', claim_waits: '须先裁决待决的提请', wrong_ruling: '裁决与提请不符',
    no_offer: '没有待答复的提和', no_such_ply: '没有可裁决的这一着', not_a_reading: '该着法不在可能的读法之中',
    score_mismatch: '该原因不能得出该结果', cannot_undo: '没有可撤销的这一指令', which_side: '面板未说明由哪一方按下',
    signed: '已经签名', not_absent: '该棋手未被记为缺席', not_started: '棋钟尚未启动',
    already_started: '棋钟已经启动', not_running: '正在走的是对方的钟', paused: '棋钟已暂停', not_paused: '棋钟未暂停',
    too_much: '超出棋钟所能显示的时间', unknown: '此棋盘没有这一指令',
  },
  hant: {
    unknown_key: '此棋盤不認識本伺服器的密鑰', bad_signature: '簽名與密鑰不符', other_name: '該密鑰不能以此姓名下達指令',
    other_board: '指令屬於另一棋盤', other_game: '棋盤上已是另一局棋', no_game: '棋盤上沒有對局', no_camera: '此棋盤沒有攝像頭', camera_busy: '正在拍照,拍完後再試', unreadable: '棋盤無法讀取此指令', too_many: '本局指令過多，棋盤不再接受',
    no_name: '指令缺少裁判姓名', no_reason: '此指令須說明理由', game_over: '對局已結束', not_over: '對局尚未結束',
    no_clock: '本局不用棋鐘', no_such_foul: '沒有這一仍有效的犯規', no_foul: '漏記行數在本次比賽中不構成犯規',
    no_claim: '沒有待裁決的提請', claim_waits: '須先裁決待決的提請', wrong_ruling: '裁決與提請不符',
    no_offer: '沒有待答覆的提和', no_such_ply: '沒有可裁決的這一着', not_a_reading: '該着法不在可能的讀法之中',
    score_mismatch: '該原因不能得出該結果', cannot_undo: '沒有可撤銷的這一指令', which_side: '面板未說明由哪一方按下',
    signed: '已經簽名', not_absent: '該棋手未被記為缺席', not_started: '棋鐘尚未啟動',
    already_started: '棋鐘已經啟動', not_running: '正在走的是對方的鐘', paused: '棋鐘已暫停', not_paused: '棋鐘未暫停',
    too_much: '超出棋鐘所能顯示的時間', unknown: '此棋盤沒有這一指令',
  },
}
