import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'

/**
 * `sink-process.ts <port> <journal>`: a receiver of messages that is killed. What it answers with
 * 200 is in its journal before, one JSON a line.
 */
const [, , port = '', journal = ''] = process.argv

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => {
    const arrival = { id: request.headers['webhook-id'], body: Buffer.concat(chunks).toString() }
    appendFileSync(journal, `${JSON.stringify(arrival)}\n`)
    response.end('ok')
  })
})
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready'))
