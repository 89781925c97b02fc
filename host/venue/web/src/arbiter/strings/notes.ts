// The evidence in one line, as the referee writes it, in Chinese. What is not listed is shown as it was written.

/** What the referee writes, in simplified and in traditional Chinese. `$1` stands for what the first group found. */
export const NOTES: readonly (readonly [pattern: RegExp, hans: string, hant: string])[] = [
  [/^the touched piece could be moved$/, '所摸的子可以走', '所摸的子可以走'],
  [/^the touched piece could be captured$/, '所摸的子可以吃', '所摸的子可以吃'],
  [/^the touched piece has no legal move$/, '所摸的子无合法着法', '所摸的子無合法着法'],
  [/^nothing can capture the touched piece$/, '所摸的子无子可吃', '所摸的子無子可吃'],
  [/^pieces were straightened in the opponent's time$/, '在对方用时内摆正棋子', '在對方用時內擺正棋子'],
  [/^the other side was to move$/, '未轮到该方走棋', '未輪到該方走棋'],
  [/^the kings face each other$/, '将帅对面', '將帥對面'],
  [/^the own king can be captured$/, '己方将（帅）可被吃', '己方將（帥）可被吃'],
  [/^in check, and the check was not met$/, '被将军而未应将', '被將軍而未應將'],
  [/^the opponent's piece was moved$/, '走动了对方的棋子', '走動了對方的棋子'],
  [/^an own piece was captured$/, '吃了己方的棋子', '吃了己方的棋子'],
  [/^the piece does not move so$/, '该子不能这样走', '該子不能這樣走'],
  [/^the clock was pressed and no move had been completed$/, '未走完一着即按钟', '未走完一着即按鐘'],
  [/^the pieces match again$/, '棋子重新相符', '棋子重新相符'],
  [/^pieces stand where no play put them$/, '棋子所在之处不是着法所致', '棋子所在之處不是着法所致'],
  [/^the board does not show the position from which the game is said to start$/, '盘面不是所报的开局局面', '盤面不是所報的開局局面'],
  [/^several moves explain the board$/, '有几种着法可以解释盘面', '有幾種着法可以解釋盤面'],
  [/^the reed stays closed$/, '干簧管一直闭合', '乾簧管一直閉合'],
  [/^the reed stays open$/, '干簧管一直断开', '乾簧管一直斷開'],
  [/^the reed chatters$/, '干簧管抖动', '乾簧管抖動'],
  [/^in check without a legal move$/, '被将军且无着可走', '被將軍且無着可走'],
  [/^without a legal move$/, '无着可走', '無着可走'],
  [/^no sequence of moves can end the game$/, '双方均无取胜可能', '雙方均無取勝可能'],
  [/^the moves have gone round (\d+) times$/, '着法已循环 $1 次', '着法已循環 $1 次'],
  [/^the position has occurred (\d+) times, (\d+) are needed/, '局面已出现 $1 次，须满 $2 次', '局面已出現 $1 次，須滿 $2 次'],
  [/^the game is played without a clock$/, '本局不用棋钟', '本局不用棋鐘'],
  [/^no flag has fallen$/, '无人超时', '無人超時'],
  [/^red's flag fell first/, '红方先超时', '紅方先超時'],
  [/^black's flag fell first/, '黑方先超时', '黑方先超時'],
  [/^no capture for .*?(\d+) of (\d+) rounds$/, '未吃子 $1 回合，须满 $2 回合', '未吃子 $1 回合，須滿 $2 回合'],
]

/** A line of the referee in the viewer's language. */
export function noteIn(language: 'en' | 'hans' | 'hant', note: string): string {
  if (language === 'en') return note
  for (const [pattern, hans, hant] of NOTES) {
    const found = pattern.exec(note)
    if (found) return (language === 'hans' ? hans : hant).replace(/\$(\d)/g, (_, group: string) => found[Number(group)] ?? '')
  }
  return note
}
