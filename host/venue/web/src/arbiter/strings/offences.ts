// What a foul is for, in words: the console and the score sheet name it alike.

/** By the name that the board gives an offence. */
type Offences = Readonly<Record<string, string>>

export const offences: Readonly<Record<'en' | 'hans' | 'hant', Offences>> = {
  en: {
    disturbance: 'disturbed the opponent',
    clock_tampering: 'stopped or started the clock',
    draw_offers: 'offered a draw too often',
    false_claim: 'false claim of the natural limit',
    touch_unmovable: 'touched a piece that cannot move',
    touch_uncapturable: 'touched a piece that cannot be taken',
    missed_lines: 'missed lines of the record',
    press_without_move: 'pressed without a move',
    illegal_move: 'illegal move',
    conduct: 'conduct',
  },
  hans: {
    disturbance: '干扰对方',
    clock_tampering: '擅停、擅开棋钟',
    draw_offers: '提和次数过多',
    false_claim: '提自然限着不实',
    touch_unmovable: '摸触不能走动的己方棋子',
    touch_uncapturable: '摸触无法吃掉的对方棋子',
    missed_lines: '漏记着法',
    press_without_move: '未走棋按钟',
    illegal_move: '违例走子',
    conduct: '违反棋手须知',
  },
  hant: {
    disturbance: '干擾對方',
    clock_tampering: '擅停、擅開棋鐘',
    draw_offers: '提和次數過多',
    false_claim: '提自然限著不實',
    touch_unmovable: '摸觸不能走動的己方棋子',
    touch_uncapturable: '摸觸無法吃掉的對方棋子',
    missed_lines: '漏記著法',
    press_without_move: '未走棋按鐘',
    illegal_move: '違例走子',
    conduct: '違反棋手須知',
  },
}
