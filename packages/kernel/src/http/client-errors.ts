import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../errors.ts'
import { errorBody } from './error-handler.ts'

const MALFORMED = new AppError(400, 'malformed_request', 'The request is not valid HTTP.')

/** Errors of the parser of Node.js, and how they are answered. */
const PARSER_ERRORS: Record<string, AppError> = {
  HPE_HEADER_OVERFLOW: new AppError(
    431,
    'headers_too_large',
    'The URL and the headers of the request are too long together.',
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new AppError(
    413,
    'body_too_large',
    'The request body is larger than the limit of this endpoint.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError(
    408,
    'request_timeout',
    'The request did not arrive in time.',
  ),
}

/**
 * Time in which further data are discarded: resetting a connection at once would lose the answer.
 */
const LINGER_MS = 1_000

/** The answer being sent on a connection, which Node.js stores on the socket. */
type ServedSocket = Socket & { _httpMessage?: { headersSent: boolean } | null }

/**
 * Answers data that are not a request, in the form of docs/contract/01-conventions.md#body-shapes.
 * There is neither a request nor a reply, so the text of the answer is written to the connection,
 * which then ends.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writableEnded) return
  const isAnswering = (socket as ServedSocket)._httpMessage?.headersSent === true
  if (!socket.writable || isAnswering || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const answer = PARSER_ERRORS[error.code ?? ''] ?? MALFORMED
  const body = JSON.stringify(errorBody(answer))
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
