// The judgement of a repetition comes in simplified characters; here is how its few words are written in traditional ones.

const SIMPLIFIED = '变复将尽应数无没献环联负连长闲对双红杀则两车马帅过进让换拦兑'
const TRADITIONAL = '變復將盡應數無沒獻環聯負連長閒對雙紅殺則兩車馬帥過進讓換攔兌'

const PAIRS: ReadonlyMap<string, string> = new Map(Array.from(SIMPLIFIED, (one, at) => [one, TRADITIONAL[at] ?? one]))

/** What the rules say of a repetition, in traditional characters. */
export function traditional(text: string): string {
  return Array.from(text, (one) => PAIRS.get(one) ?? one).join('')
}
