import { readFileSync } from 'node:fs'
import { decodeMessages, readMessage, readValue } from '@salus/hl7v2'
import { median, type Row, thousands, times } from './measure.ts'

/** Reads of the same message in a round, and rounds of which the middle one counts. */
const READS = 5000
const ROUNDS = 7
const FIXTURES = new URL('../../hl7v2/fixtures/', import.meta.url)
const PHOENIX = { zone: 'America/Phoenix' }

/**
 * Reads a culture with six results, once with all values of its results and once by `split` alone,
 * which finds no character set, escape, continued line or type.
 */
export function benchHl7(): Row[] {
  const bytes = readFileSync(new URL('micro-susceptibility-final.hl7', FIXTURES))
  // In turns, so that both meet the same load of the machine.
  const rounds = Array.from({ length: ROUNDS }, () => ({
    salus: readsASecond(() => readResults(bytes)),
    bare: readsASecond(() => split(bytes)),
  }))
  const salus = median(rounds.map((round) => round.salus))
  const bare = median(rounds.map((round) => round.bare))
  return [
    {
      job: `HL7 v2: read a message of ${(bytes.length / 1000).toFixed(1)} kB with 6 results`,
      salus: `${thousands(salus)}/s`,
      comparedWith: "split('\\r'), then split('|')",
      other: `${thousands(bare)}/s`,
      ratio: times(salus / bare),
      goal: '',
      isMet: null,
    },
  ]
}

/** By seconds of processor time: other programs of the machine do not change it much. */
function readsASecond(read: () => number): number {
  const before = process.cpuUsage()
  let found = 0
  for (let index = 0; index < READS; index++) found += read()
  if (found !== READS * 6) throw new Error(`${found} results were read`)
  const { user, system } = process.cpuUsage(before)
  return (READS * 1_000_000) / (user + system)
}

function readResults(bytes: Buffer): number {
  let results = 0
  for (const raw of decodeMessages(bytes).messages) {
    for (const obx of readMessage(raw).all('OBX')) {
      const value = readValue(obx, PHOENIX)
      if (obx.text(3) !== '' && value.text !== '' && obx.text(11) === 'F') results++
    }
  }
  return results
}

function split(bytes: Buffer): number {
  let results = 0
  for (const line of bytes.toString('utf8').split('\r')) {
    const fields = line.split('|')
    if (fields[0] === 'OBX' && fields[3] !== '' && fields[5] !== '' && fields[11] === 'F') results++
  }
  return results
}
