import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { IN_NORTH_DAKOTA, productionOfOperator } from './production-laboratory.ts'
import { expectedOf, readSamples, type SampleMessage, shownOf } from './samples.ts'
import { createWiredLaboratory, type WiredLaboratory } from './wired-laboratory.ts'

/**
 * Every file of the fixtures is sent over a socket and held, because it fits no order. A reviewer
 * assigns it to an order, and a client reads what the file says. `SALUS_HL7_SAMPLES` is the path of
 * another folder with such files.
 */

const OWN = join(import.meta.dirname, '../../../hl7v2/fixtures')
const SAMPLES = readSamples(process.env.SALUS_HL7_SAMPLES ?? OWN)
const PATIENCE_MS = 60_000

let wired: WiredLaboratory
let processingId = ''

before(async () => {
  wired = await createWiredLaboratory(async (harness) => {
    const environment = await productionOfOperator(harness)
    const settings = { production: { match_review_enabled: true } }
    await harness.manage('PATCH', `/team/${environment.teamId}`, settings)
    return environment
  })
})
after(() => wired?.close())

/** Changes the connection where it does not take messages of a processing id. */
async function receiveAs(wanted: string): Promise<void> {
  if (wanted === processingId || !/^[PTD]$/.test(wanted)) return
  processingId = wanted
  // A changed connection is one that was stored at another time.
  wired.harness.clock.advance(1)
  await wired.connect({
    profile: 'loi-lri-2.5.1',
    ack: { mode: 'original' },
    processing_id: wanted as 'P',
  })
}

/** Sends a file in one frame. @returns what each answer says in MSA-1 and MSA-2 */
async function send(content: Buffer, answers: number): Promise<string[][]> {
  const socket = connect(wired.resultsPort, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.write(Buffer.concat([Buffer.of(0x0b), content, Buffer.of(0x1c, 0x0d)]))
  const until = performance.now() + PATIENCE_MS
  while (text.split('\x1c\r').length <= answers) {
    assert.ok(performance.now() < until, 'the file is not answered')
    await pause(10)
  }
  // One that is not to be answered is stored soon, and nothing else may come.
  if (answers === 0) await pause(300)
  socket.destroy()
  const parts = text.split('\x1c\r').slice(0, -1)
  // The separators of an answer are those of the message.
  return parts.map((part) => /\rMSA.(\w\w).([^\r]*?)\r/.exec(`${part}\r`)?.slice(1) ?? [])
}

const READ = ['ORU', 'OUL', 'MDM', 'ORM', 'OML', 'OMG', 'OMI', 'ORR', 'ORL', 'ACK']

/** The answer that a message has to get; none to an acknowledgment. */
function answerTo({ type, control_id: id, processing_id, ack }: SampleMessage): string[][] {
  if (ack !== undefined) return []
  if (processing_id !== processingId) return [[type === '' ? 'AE' : 'AR', id]]
  const isRead = READ.includes(type.split('^')[0] ?? '')
  return [[type === '' || id === '' ? 'AE' : isRead ? 'AA' : 'AR', id || 'UNKNOWN']]
}

/** Waits until no message waits. @returns states and problems by control id */
async function settle(): Promise<Map<string, string>> {
  const { pool } = wired.harness.database
  for (;;) {
    const { rows } = await pool.query('select control_id, state, problem from lab_messages')
    if (rows.every(({ state }) => state !== 'waiting')) {
      return new Map(rows.map((row) => [row.control_id ?? '', `${row.state} ${row.problem ?? ''}`]))
    }
    await pause(20)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of the API
type Body = any

/** Gives every held result to an order of its own, and returns what clients see of the orders. */
async function acceptHeld(): Promise<{ result: Body; document: string | null }[]> {
  const list = '/v3/unmatched_result?limit=100&status=pending_customer_review'
  const { data } = (await wired.call('GET', list)).body
  const seen = []
  for (const { id } of data) {
    const placed = await wired.place(IN_NORTH_DAKOTA)
    await wired.waitForStatus(placed.id, 'received.walk_in_test.requisition_created')
    const accept = await wired.call('POST', `/v3/unmatched_result/${id}/accept`, {
      order_id: placed.id,
    })
    assert.equal(accept.status, 200, accept.text)
    const path = `/v3/order/${placed.id}/result`
    const pdf = await wired.call('GET', `${path}/pdf`)
    seen.push({
      result: (await wired.call('GET', path)).body,
      document: pdf.status === 200 ? createHash('sha256').update(pdf.bytes).digest('hex') : null,
    })
  }
  return seen
}

const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted()

describe('a file over the wire is answered, and shown as it says', () => {
  for (const { name, content, messages } of SAMPLES) {
    test(name, async () => {
      await receiveAs(messages[0]?.processing_id ?? '')
      const answers = messages.flatMap(answerTo)
      assert.deepEqual(await send(content, answers.length), answers)
      const states = await settle()
      for (const { type, control_id: id, processing_id, results } of messages) {
        const isTaken = processing_id === processingId && id !== ''
        const isReport = /^(ORU|OUL)/.test(type) && isTaken && results.length > 0
        if (isReport) assert.equal(states.get(id), 'held ', id)
        else assert.match(states.get(id) ?? '', /^(failed|ignored)/, id)
      }
      const seen = await acceptHeld()
      const reports = messages.filter(({ type }) => /^(ORU|OUL)/.test(type)).map(expectedOf)
      assert.deepEqual(
        sorted(seen.flatMap(({ result }) => shownOf(result))),
        sorted(reports.flatMap(({ shown }) => shown)),
      )
      const missing = seen.flatMap(({ result }) => result.missing_results)
      for (const [code, note] of reports.flatMap((report) => report.missing)) {
        const found = missing.find(
          ({ loinc, provider_id }) => code === loinc || code === provider_id,
        )
        assert.ok(found, `${code} is not missing`)
        assert.equal(found.note, note)
      }
      for (const hash of reports.flatMap(({ documents }) => documents)) {
        assert.ok(
          seen.some(({ document }) => document === hash),
          'the document is another one',
        )
      }
    })
  }
})
