import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { openDatabase } from '@salus/kernel/postgres/database'

/**
 * The bare counterparts of a listener, in a process of their own: one port answers every frame with
 * a fixed acknowledgment, another one appends the message to a file and brings it to the disk
 * first, and another one inserts it as a row. None of them looks into a message. The ports are the
 * first message to the parent.
 */

const [, , url = '', path = ''] = process.argv
const { pool, close } = openDatabase({ url, poolSize: 20 })
const file = await open(path, 'a')
const ANSWER = '\x0bMSH|^~\\&|SALUS||LAB|NORTH|20260301120000||ACK|A1|T|2.3\rMSA|AA|R1\r\x1c\r'

const INSERT = {
  name: 'bench_message',
  text: 'insert into bench_messages (id, content, received_at) values (gen_random_uuid(), $1, now())',
}
const store = (content: Buffer): Promise<unknown> => pool.query({ ...INSERT, values: [content] })

/** Each message has a flush of its own. */
async function append(content: Buffer): Promise<void> {
  await file.write(content)
  await file.datasync()
}

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

process.send?.({ echo: await listen(), append: await listen(append), store: await listen(store) })
process.once('disconnect', () => {
  void Promise.all([close(), file.close()]).then(() => process.exit())
})
