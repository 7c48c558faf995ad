import { type Charset, charsetNamed, decodeBytes } from './charsets.ts'
import { isHeader, type RawMessage, Segment, splitSegments } from './message.ts'
import { readSeparators, type Separators, splitAt, USUAL_SEPARATORS } from './separators.ts'

/** A batch of a file: BHS, messages, BTS. Each of the two may be missing. */
export interface Batch {
  header: Segment | undefined
  trailer: Segment | undefined
  messages: readonly RawMessage[]
}

/** The segments of a file around its messages. */
export interface Envelope {
  /** FHS. */
  header: Segment | undefined
  /** FTS. */
  trailer: Segment | undefined
  batches: readonly Batch[]
  /** All of them in the order of the file: FHS, BHS, BTS, FTS. */
  segments: readonly Segment[]
}

/** Something that is wrong with a file or a frame, while its messages could be read. */
export interface DecodingProblem {
  /**
   * `no_message`: nothing begins with MSH. `stray_bytes`: bytes before the first segment or behind
   * an envelope. `count_differs`: BTS-1 or FTS-1 is another number than was read.
   * `trailer_missing`: a batch or file has a header and no trailer, as when it was cut off.
   */
  code: 'no_message' | 'stray_bytes' | 'count_differs' | 'trailer_missing'
  /** The position of the first byte that it is about. */
  offset: number
}

export interface DecodedMessages {
  messages: readonly RawMessage[]
  /** Null for messages without FHS, BHS, BTS or FTS. */
  envelope: Envelope | null
  problems: readonly DecodingProblem[]
}

export interface DecodingOptions {
  /** The character set of the connection, which is tried before the one that MSH-18 names. */
  charset?: Charset
}

/**
 * Finds the messages in the content of a frame or file: a message, several of them one after the
 * other, or batches. Byte order marks, empty lines and frame bytes between messages are skipped.
 * It never throws: what is wrong is listed in `problems`.
 */
export function decodeMessages(bytes: Buffer, options: DecodingOptions = {}): DecodedMessages {
  const blocks = splitBlocks(bytes)
  const messages: RawMessage[] = []
  const problems: DecodingProblem[] = []
  const envelope = new EnvelopeReader()
  let separators = USUAL_SEPARATORS
  for (const block of blocks) {
    if (block.name === 'MSH') {
      const message = decodeMessage(block, options)
      messages.push(message)
      separators = readSeparators(message.text)
      envelope.addMessage(message)
    } else if (block.name === '') problems.push({ code: 'stray_bytes', offset: block.offset })
    else {
      const { segment, hasMore } = readEnvelopeSegment(block, separators)
      separators = segment.encoding.separators
      envelope.addSegment(segment, block.offset)
      if (hasMore) problems.push({ code: 'stray_bytes', offset: block.offset })
    }
  }
  if (messages.length === 0) problems.push({ code: 'no_message', offset: 0 })
  problems.push(...envelope.findProblems(messages.length))
  return { messages, envelope: envelope.read(), problems }
}

interface Block {
  /** MSH, or a name of an envelope's segment; '' for what comes before the first one. */
  name: string
  content: Buffer
  offset: number
}

/** What separates messages in a file: line ends, frame bytes, zeros, and the end-of-file of DOS. */
const FILLERS = new Set([0x00, 0x0a, 0x0b, 0x0d, 0x1a, 0x1c])
/** Where a line begins: frame bytes between messages are no part of one. */
const LINE_START = String.raw`(?:^|[\r\n\x0b\x1c])[ \t]*(?:\xef\xbb\xbf)?`
const BLOCK_STARTS = new RegExp(`${LINE_START}(?=(?:MSH|FHS|BHS|BTS|FTS)(?:[^A-Za-z0-9]|$))`, 'g')
/** The separators at the begin of MSH, FHS or BHS, without which a line of text looks like one. */
const DECLARATION = /^([^A-Za-z0-9\s])[^A-Za-z0-9\s]{2,5}(?:\1|[\r\n]|$)/

/** Cuts the bytes before each segment that begins a message or belongs to an envelope. */
function splitBlocks(bytes: Buffer): Block[] {
  const text = bytes.toString('latin1')
  const starts: { offset: number; end: number }[] = []
  let separator = ''
  for (const { 0: lead, index } of text.matchAll(BLOCK_STARTS)) {
    const offset = index + lead.length
    const next = text[offset + 3] ?? ''
    // Notes have lines such as "MSH-6: intact", so only the first header may be incomplete.
    const isTrailer = text.startsWith('TS', offset + 1)
    const isStart = isTrailer
      ? ['', '\r', '\n', separator].includes(next)
      : separator === '' ||
        next === separator ||
        DECLARATION.test(text.slice(offset + 3, offset + 11))
    if (!isStart) continue
    if (!isTrailer) separator = next
    // The line end before it belongs to the block before.
    starts.push({ offset, end: index + 1 })
  }
  const blocks = starts.map(({ offset }, at) => {
    const content = trimEnd(bytes.subarray(offset, starts[at + 1]?.end))
    return { name: text.slice(offset, offset + 3), content, offset }
  })
  const before = bytes.subarray(0, blocks[0]?.offset ?? bytes.length)
  const isStray = (byte: number, at: number) =>
    !FILLERS.has(byte) && byte !== 0x20 && byte !== 0x09 && !belongsToBom(bytes, at)
  const offset = before.findIndex(isStray)
  return offset < 0 ? blocks : [{ name: '', content: before, offset }, ...blocks]
}

/** Returns true for the bytes of a byte order mark of UTF-8 at the start. */
const belongsToBom = (bytes: Buffer, at: number): boolean =>
  at < 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/** A block without the fillers behind it, but with the end of its last line. */
function trimEnd(block: Buffer): Buffer {
  let end = block.length
  while (end > 0 && FILLERS.has(block[end - 1] as number)) end--
  if (block[end] === 0x0d) end++
  if (block[end] === 0x0a) end++
  return block.subarray(0, end)
}

/** Decodes a message. The order of the character sets is that of `DecodingOptions` and MSH-18. */
function decodeMessage({ content, offset }: Block, options: DecodingOptions): RawMessage {
  const header = content.toString('latin1', 0, lengthOfLine(content))
  const { field, repetition } = readSeparators(header)
  const namedCharset = header.split(field, 18)[17] ?? ''
  const names = splitAt(namedCharset, repetition).filter((name) => name !== '')
  const named = names.map(charsetNamed).filter((charset) => charset !== undefined)
  const expected = options.charset === undefined ? named : [options.charset, ...named]
  for (const charset of [...expected, 'utf-8' as const]) {
    const text = decodeBytes(content, charset)
    if (text === undefined) continue
    const isExpected = expected.includes(charset) || expected.length + names.length === 0
    return { content, offset, text, charset, namedCharset, isCharsetFallback: !isExpected }
  }
  const charset = 'windows-1252'
  const text = decodeBytes(content, charset) as string
  return { content, offset, text, charset, namedCharset, isCharsetFallback: true }
}

/** How many bytes come before the first line end. */
function lengthOfLine(content: Buffer): number {
  const ends = [content.indexOf(0x0d), content.indexOf(0x0a)].filter((end) => end >= 0)
  return Math.min(content.length, ...ends)
}

/** @param separators Those of the header before it, which a trailer does not declare. */
function readEnvelopeSegment({ name, content }: Block, separators: Separators) {
  const charset = decodeBytes(content, 'utf-8') === undefined ? 'windows-1252' : 'utf-8'
  const text = decodeBytes(content, charset) as string
  const encoding = {
    separators: isHeader(name) ? readSeparators(text) : separators,
    charset,
  } as const
  const { segments, continuedLines } = splitSegments(text, encoding)
  const segment = segments[0] ?? new Segment(name, text, '', encoding)
  return { segment, hasMore: segments.length > 1 || continuedLines > 0 }
}

interface OpenBatch {
  header: Segment | undefined
  trailer: Segment | undefined
  messages: RawMessage[]
}

/** Collects the segments of an envelope, which may be incomplete. */
class EnvelopeReader {
  readonly #segments: Segment[] = []
  readonly #batches: OpenBatch[] = []
  readonly #offsets = new Map<Segment, number>()
  #open: OpenBatch | undefined

  addMessage(message: RawMessage): void {
    this.#openBatch().messages.push(message)
  }

  addSegment(segment: Segment, offset: number): void {
    this.#segments.push(segment)
    this.#offsets.set(segment, offset)
    if (segment.name === 'BHS') {
      this.#open = undefined
      this.#openBatch().header = segment
    } else if (segment.name === 'BTS') {
      this.#openBatch().trailer = segment
      this.#open = undefined
    }
  }

  read(): Envelope | null {
    if (this.#segments.length === 0) return null
    const named = (name: string) => this.#segments.find((segment) => segment.name === name)
    return {
      header: named('FHS'),
      trailer: named('FTS'),
      batches: this.#batches,
      segments: this.#segments,
    }
  }

  findProblems(messages: number): DecodingProblem[] {
    const { header, trailer } = this.read() ?? {}
    // FTS-1 counts batches. Senders of a file without batches count messages there.
    const ofFile = this.#findProblem(header, trailer, [this.#batches.length, messages])
    const ofBatches = this.#batches.map((batch) =>
      this.#findProblem(batch.header, batch.trailer, [batch.messages.length]),
    )
    return [...ofBatches, ofFile].filter((problem) => problem !== undefined)
  }

  #findProblem(
    header: Segment | undefined,
    trailer: Segment | undefined,
    counts: readonly number[],
  ): DecodingProblem | undefined {
    const offset = this.#offsets.get((trailer ?? header) as Segment) ?? 0
    if (trailer === undefined) return header && { code: 'trailer_missing', offset }
    const declared = trailer.text(1).trim()
    const isRight = declared === '' || counts.includes(Number(declared))
    return isRight ? undefined : { code: 'count_differs', offset }
  }

  #openBatch(): OpenBatch {
    if (this.#open === undefined) {
      this.#open = { header: undefined, trailer: undefined, messages: [] }
      this.#batches.push(this.#open)
    }
    return this.#open
  }
}
