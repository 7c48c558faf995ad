import { createServer } from 'node:http'

/**
 * A receiver in a process of its own: answers 200 to every message and keeps, by message id, when
 * it came. GET / returns the arrivals: how many, the first and the last time, and with ?times all
 * of them. Times are milliseconds of the epoch with fractions.
 */
const arrivals = new Map<string, number>()
const now = (): number => performance.timeOrigin + performance.now()

const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(report(request.url ?? '/'))
  if (request.method === 'DELETE') {
    arrivals.clear()
    return void response.end()
  }
  const at = now()
  const id = String(request.headers['webhook-id'])
  if (!arrivals.has(id)) arrivals.set(id, at)
  request.resume()
  request.once('end', () => response.end('ok'))
})

function report(url: string): string {
  const times = [...arrivals.values()]
  const summary = {
    count: times.length,
    first: times[0] ?? null,
    last: times.at(-1) ?? null,
    ...(url.includes('times') && { times: Object.fromEntries(arrivals) }),
  }
  return JSON.stringify(summary)
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address !== 'string') console.log(address.port)
})
