// What is wrong with a board itself, in words.

import type { Alarm } from '../../feed/api'

type Language = 'en' | 'hans' | 'hant'
type Words = Readonly<Record<string, (alarm: Alarm) => string>>

/** By the code that the board gives. */
export const alarms: Readonly<Record<Language, Words>> = {
  en: {
    disk_full: () => 'the disk is full: nothing is written or shown until there is room. The board plays on',
    disk_read_only: () => 'the disk has become read-only: nothing is written or shown. The board plays on',
    disk_failed: ({ detail }) => `the disk takes nothing (${detail ?? ''}): nothing is written or shown. The board plays on`,
    journal_moved: ({ file }) => `the record’s folder, or ${file ?? 'its file'} in it, is not in its place: bring it back. Nothing is written or shown meanwhile. The board plays on`,
    journal_begun_anew: ({ file }) => `the record’s folder was gone and was made anew, beginning with ${file ?? ''}; earlier games are not in it`,
    journal_unreadable: ({ detail }) => `the record cannot be read (${detail ?? ''}): nothing new is shown. The board writes on`,
    journal_damaged: ({ file, line }) => `the record of earlier games is damaged or incomplete, from ${file ?? ''}, line ${line ?? ''}; it is left as it is`,
    journal_set_aside: ({ file, seq }) => `the record of this game was damaged from record ${seq ?? ''} on. That part is kept in ${file ?? ''}; the game goes on from before it. Compare moves and clocks`,
    journal_lines_gone: ({ seq }) => `the disk has lost the record of this game from record ${seq ?? ''} on; the game goes on from before it. Compare moves and clocks`,
    id_taken: ({ client }) => `the broker throws this board out again and again: is another one called ${client ?? ''}, too?`,
  },
  hans: {
    disk_full: () => '磁盘已满：腾出空间之前不写入，也不公布。棋盘照常进行',
    disk_read_only: () => '磁盘变为只读：不写入，也不公布。棋盘照常进行',
    disk_failed: ({ detail }) => `磁盘无法写入（${detail ?? ''}）：不写入，也不公布。棋盘照常进行`,
    journal_moved: ({ file }) => `记录的文件夹或其中的 ${file ?? '文件'} 不在原处：请放回。其间不写入，也不公布。棋盘照常进行`,
    journal_begun_anew: ({ file }) => `记录的文件夹曾经丢失，已重新建立，从 ${file ?? ''} 开始；其中没有更早的对局`,
    journal_unreadable: ({ detail }) => `记录无法读取（${detail ?? ''}）：不再公布新内容。棋盘照常写入`,
    journal_damaged: ({ file, line }) => `先前对局的记录损坏或不全，从 ${file ?? ''} 第 ${line ?? ''} 行起；原样保留`,
    journal_set_aside: ({ file, seq }) => `本局记录从第 ${seq ?? ''} 条起损坏。该部分另存于 ${file ?? ''}，对局从其前继续。请核对着法和棋钟`,
    journal_lines_gone: ({ seq }) => `磁盘丢失了本局第 ${seq ?? ''} 条起的记录，对局从其前继续。请核对着法和棋钟`,
    id_taken: ({ client }) => `服务器一再断开此棋盘：是否另有棋盘也叫 ${client ?? ''}？`,
  },
  hant: {
    disk_full: () => '磁碟已滿：騰出空間之前不寫入，也不公布。棋盤照常進行',
    disk_read_only: () => '磁碟變為唯讀：不寫入，也不公布。棋盤照常進行',
    disk_failed: ({ detail }) => `磁碟無法寫入（${detail ?? ''}）：不寫入，也不公布。棋盤照常進行`,
    journal_moved: ({ file }) => `記錄的資料夾或其中的 ${file ?? '檔案'} 不在原處：請放回。其間不寫入，也不公布。棋盤照常進行`,
    journal_begun_anew: ({ file }) => `記錄的資料夾曾經遺失，已重新建立，從 ${file ?? ''} 開始；其中沒有更早的對局`,
    journal_unreadable: ({ detail }) => `記錄無法讀取（${detail ?? ''}）：不再公布新內容。棋盤照常寫入`,
    journal_damaged: ({ file, line }) => `先前對局的記錄損壞或不全，從 ${file ?? ''} 第 ${line ?? ''} 行起；原樣保留`,
    journal_set_aside: ({ file, seq }) => `本局記錄從第 ${seq ?? ''} 條起損壞。該部分另存於 ${file ?? ''}，對局從其前繼續。請核對着法和棋鐘`,
    journal_lines_gone: ({ seq }) => `磁碟遺失了本局第 ${seq ?? ''} 條起的記錄，對局從其前繼續。請核對着法和棋鐘`,
    id_taken: ({ client }) => `伺服器一再斷開此棋盤：是否另有棋盤也叫 ${client ?? ''}？`,
  },
}

/** What is wrong with a board, each in words; a board or an alarm that is newer or older than this page says it in English. */
export function alarmsIn(language: Language, { alarm, alarms: all }: { readonly alarm: string | null; readonly alarms: readonly Alarm[] }): readonly string[] {
  const words = all.map((one) => alarms[language][one.code]?.(one))
  const known = words.filter((word) => word !== undefined)
  return alarm !== null && known.length < Math.max(all.length, 1) ? [...known, alarm] : known
}
