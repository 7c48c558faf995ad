import { connect } from 'node:net'
import { API_KEY } from './server-process.ts'

/** A request whose body arrives in two parts, so that it is in flight as long as wanted. */
export function openSlowUpload(baseUrl: string, userId: string, data: object[]) {
  const { hostname, port } = new URL(baseUrl)
  const body = JSON.stringify({ stage: 'daily', provider: 'manual', data })
  const head = [
    `POST /v2/timeseries/${userId}/steps HTTP/1.1`,
    'host: localhost',
    `x-service-api-key: ${API_KEY}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text
  })
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 40)}`)
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)))
  return { finish: () => socket.write(body.slice(40)), closed }
}
