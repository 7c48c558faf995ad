import { once } from 'node:events'
import { connect } from 'node:net'

/** How long the answers of messages took. */
export interface Sending {
  /** Milliseconds from the last byte of a message to the last byte of its answer. */
  latencies: number[]
  seconds: number
}

/**
 * Sends messages over connections to a port of this machine, one in flight on each, and waits for
 * the answer to every one.
 * @throws Error when an answer does not accept its message
 */
export async function sendMessages(
  port: number,
  messages: readonly Buffer[],
  connections: number,
): Promise<Sending> {
  const frames = messages.map((content) =>
    Buffer.concat([Buffer.of(0x0b), content, Buffer.of(0x1c, 0x0d)]),
  )
  const latencies: number[] = []
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true)
      await once(socket, 'connect')
      return socket
    }),
  )
  let next = 0
  const startedAt = performance.now()
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          let sentAt = 0
          let answer = ''
          const send = (): void => {
            const content = frames[next++]
            if (content === undefined) {
              resolve()
              return
            }
            sentAt = performance.now()
            socket.write(content)
          }
          socket.on('error', reject)
          socket.on('close', () => reject(new Error('the connection was closed')))
          socket.on('data', (chunk) => {
            answer += chunk.toString('latin1')
            if (!answer.endsWith('\x1c\r')) return
            latencies.push(performance.now() - sentAt)
            if (!answer.includes('\rMSA|AA|')) reject(new Error('a message was not accepted'))
            answer = ''
            send()
          })
          send()
        }),
    ),
  )
  const seconds = (performance.now() - startedAt) / 1000
  for (const socket of sockets) socket.destroy()
  return { latencies, seconds }
}
