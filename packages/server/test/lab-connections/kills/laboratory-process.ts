import { flushCompileCache } from 'node:module'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { acknowledge, type Order, readOrder } from '../laboratory.ts'
import { writeResult } from '../result-messages.ts'
import { isLast, reach, readOrders, report } from './death.ts'
import { type Entry, openJournal } from './journal.ts'

/**
 * A laboratory as a process: it takes orders on one port, keeps what it acknowledges on the disk,
 * and sends a result of each order to another port until it is accepted. It knows after a kill what
 * it kept before.
 */

const [, , port = '', resultsPort = '', path = ''] = process.argv
const START = '\x0b'
const END = '\x1c\r'
/** Orders of people with this name are not analysed: they will be cancelled. */
const NOT_ANALYSED = 'WAITING'
/** Pause between two looks for results to send. */
const ROUND_MS = 20

const journal = openJournal(path)
type Kept = Extract<Entry, { kind: 'message' }>
const kept = new Map<string, Kept>()
const accepted = new Set<string>()
for (const entry of journal.entries) remember(entry)

function remember(entry: Entry): void {
  if (entry.kind === 'message') kept.set(entry.controlId, entry)
  if (entry.kind === 'accepted') accepted.add(entry.controlId)
}

/** Writes a frame, and dies before, in or after it when it has to. */
function writeFrame(socket: Socket, message: string, step: string): void {
  const bytes = Buffer.from(START + message + END, 'latin1')
  reach(step, 'before')
  const isHalf = isLast(step, 'half')
  const part = isHalf ? bytes.subarray(0, bytes.length / 2) : bytes
  socket.write(part, () => reach(step, isHalf ? 'half' : 'after'))
}

const wasTaken = (placer: string): boolean =>
  [...kept.values()].some((each) => each.placer === placer && each.control === 'NW')

/** Decides about a message that is new. */
function decide({ control, placer }: Order): string {
  if (control === 'CA') return wasTaken(placer) ? 'AA' : 'AE'
  if (!wasTaken(placer)) return 'AA'
  journal.add({ kind: 'wrong', what: `order ${placer} came under another id` })
  return 'AR'
}

function take(socket: Socket, order: Order): void {
  const { controlId, control, placer, tests, raw, segments } = order
  const name = control === 'CA' ? 'cancellation' : 'order'
  const known = kept.get(controlId)
  if (known !== undefined && known.raw !== raw) {
    journal.add({ kind: 'wrong', what: `message ${controlId} came with other bytes` })
  }
  const code = known?.code ?? decide(order)
  if (known === undefined) {
    const pid = segments.find(([segment]) => segment === 'PID') ?? []
    const entry = { kind: 'message', controlId, control, placer, tests, pid, raw, code } as const
    journal.add(entry, `${name} is kept`)
    remember(entry)
  }
  if (known === undefined) writeFrame(socket, acknowledge(order, code), `${name} is answered`)
  else writeFrame(socket, answerAgain(order, code), 'repetition is answered')
}

/** Laboratories answer a repetition as they did before, or refuse it because they have it. */
function answerAgain(order: Order, code: string): string {
  const isRefused = code === 'AA' && Number(order.placer.slice(2)) % 2 === 1
  return isRefused
    ? acknowledge(order, 'AR', 'ERR||ORC^1^2|205^^HL70357|E')
    : acknowledge(order, code)
}

createServer((socket) => {
  let text = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    for (let end = text.indexOf(END); end >= 0; end = text.indexOf(END)) {
      const order = readOrder(text.slice(text.indexOf(START) + 1, end))
      text = text.slice(end + END.length)
      take(socket, order)
    }
  })
}).listen(Number(port), '127.0.0.1', () => report({ is: 'ready' }))

/** The value is the counter of the placer number, so that each order has its own. */
function resultOf({ placer, controlId, pid, tests }: Kept): string {
  const value = String(Number(placer.slice(2)))
  const sent = tests.map((code) => ({
    code,
    name: 'Test',
    filler: `Q${placer}`,
    values: [{ code: `X${code}`, name: 'First', value, unit: 'mg/dL' }],
  }))
  return writeResult({ placer, segments: [pid] }, { controlId: `R${controlId}` }, sent)
}

/** Sends a result on a connection of its own, and returns the answer; '' when there is none. */
function exchange(message: string): Promise<string> {
  const socket = connect(Number(resultsPort), '127.0.0.1')
  return new Promise((resolve) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('close', () => resolve(text.endsWith(END) ? text : ''))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.endsWith(END)) socket.destroy()
    })
    socket.on('connect', () => writeFrame(socket, message, 'result is sent'))
  })
}

async function sendResults(): Promise<never> {
  for (;;) {
    for (const order of [...kept.values()]) {
      const { controlId, control, pid } = order
      const isDue = control === 'NW' && !pid.join('|').includes(NOT_ANALYSED)
      if (!isDue || accepted.has(controlId)) continue
      const answer = await exchange(resultOf(order))
      if (answer === '') break
      if (answer.includes(`MSA|AA|R${controlId}`)) {
        const entry = { kind: 'accepted', controlId } as const
        journal.add(entry, 'acceptance is kept')
        remember(entry)
      } else {
        journal.add({ kind: 'wrong', what: `result of ${controlId} was not accepted` })
      }
    }
    await pause(ROUND_MS)
  }
}

readOrders(() => {})
// A process that is killed writes no cache at its end.
flushCompileCache()
void sendResults()
