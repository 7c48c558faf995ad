import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { openDatabase } from '@salus/kernel/postgres/database'

/**
 * The bare counterparts of a listener, in a process of their own: one port answers every frame with
 * a fixed acknowledgment, and another one inserts the message as a row first. Neither looks into a
 * message. The ports are the first message to the parent.
 */

const [, , url = ''] = process.argv
const { pool, close } = openDatabase({ url, poolSize: 16 })
const ANSWER = '\x0bMSH|^~\\&|SALUS||LAB|NORTH|20260301120000||ACK|A1|T|2.3\rMSA|AA|R1\r\x1c\r'

const INSERT = {
  name: 'bench_message',
  text: 'insert into bench_messages (id, content, received_at) values (gen_random_uuid(), $1, now())',
}
const store = (content: Buffer): Promise<unknown> => pool.query({ ...INSERT, values: [content] })

/** Answers the frames of a connection, one after the other, after what is done with each. */
function serve(socket: Socket, keep?: (content: Buffer) => Promise<unknown>): void {
  let parts: Buffer[] = []
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    parts.push(chunk)
    if (chunk.at(-2) !== 0x1c || chunk.at(-1) !== 0x0d) return
    const content = Buffer.concat(parts).subarray(1, -2)
    parts = []
    if (keep === undefined) socket.write(ANSWER)
    else void keep(content).then(() => socket.write(ANSWER))
  })
}

async function listen(keep?: (content: Buffer) => Promise<unknown>): Promise<number> {
  const server = createServer((socket) => serve(socket, keep)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

process.send?.({ echo: await listen(), store: await listen(store) })
process.once('disconnect', () => void close().then(() => process.exit()))
