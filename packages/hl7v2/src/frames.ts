const START = 0x0b
const END = 0x1c
const FRAME_START = Buffer.of(START)
const FRAME_END = Buffer.of(END, 0x0d)

/** Puts the bytes of a message into a frame of MLLP: `0x0B`, the message, `0x1C 0x0D`. */
export function frame(content: Buffer): Buffer {
  return Buffer.concat([FRAME_START, content, FRAME_END])
}

/** What a `FrameReader` found in a stream. */
export type FrameEvent =
  | { kind: 'frame'; content: Buffer }
  /** A frame was larger than allowed. Its bytes are dropped, and the next frame is read. */
  | { kind: 'too_large'; limit: number }
  /** A frame began before the last one ended, which is dropped. */
  | { kind: 'restarted'; droppedBytes: number }

/**
 * Takes a stream of MLLP apart, in chunks of any size. Bytes outside frames are ignored, so doubled
 * frame bytes and line ends between frames do no harm. `0x1C` ends a frame whether or not `0x0D`
 * follows. Frames without content are skipped.
 */
export class FrameReader {
  readonly #limit: number
  #state: 'outside' | 'inside' | 'dropping' = 'outside'
  #parts: Buffer[] = []
  #size = 0
  #ignoredBytes = 0

  /** @param limit Bytes that a message may have. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** True inside a frame: its end has not come yet. */
  get isInsideFrame(): boolean {
    return this.#state !== 'outside'
  }

  /** Bytes of the open frame that are held in memory. */
  get heldBytes(): number {
    return this.#size
  }

  /** Bytes that were outside frames, without the line ends that belong to the protocol. */
  get ignoredBytes(): number {
    return this.#ignoredBytes
  }

  /** Takes the next bytes, and returns what they complete, in their order. */
  push(chunk: Buffer): FrameEvent[] {
    const events: FrameEvent[] = []
    // Each is searched again only behind itself: a chunk full of one of them is read once.
    let [start, end] = [chunk.indexOf(START), chunk.indexOf(END)]
    for (let at = 0; at < chunk.length; ) {
      if (start >= 0 && start < at) start = chunk.indexOf(START, at)
      if (end >= 0 && end < at) end = chunk.indexOf(END, at)
      if (this.#state === 'outside') {
        const until = start < 0 ? chunk.length : start
        this.#ignore(chunk.subarray(at, until))
        if (start >= 0) this.#state = 'inside'
        at = until + 1
        continue
      }
      const until = Math.min(...[start, end, chunk.length].filter((position) => position >= 0))
      this.#hold(chunk.subarray(at, until), events)
      if (until < chunk.length) this.#close(until === end, events)
      at = until + 1
    }
    return events
  }

  #hold(bytes: Buffer, events: FrameEvent[]): void {
    if (this.#state === 'dropping' || bytes.length === 0) return
    if (this.#size + bytes.length > this.#limit) {
      events.push({ kind: 'too_large', limit: this.#limit })
      this.#state = 'dropping'
      this.#clear()
      return
    }
    // A copy: a small rest of a chunk would keep the whole chunk in memory.
    this.#parts.push(Buffer.from(bytes))
    this.#size += bytes.length
  }

  /** At the end of a frame, or at the start of the next one. */
  #close(isEnd: boolean, events: FrameEvent[]): void {
    if (this.#size > 0) {
      events.push(
        isEnd
          ? { kind: 'frame', content: Buffer.concat(this.#parts) }
          : { kind: 'restarted', droppedBytes: this.#size },
      )
    }
    this.#state = isEnd ? 'outside' : 'inside'
    this.#clear()
  }

  #clear(): void {
    this.#parts = []
    this.#size = 0
  }

  #ignore(bytes: Buffer): void {
    for (const byte of bytes) {
      if (byte !== 0x0d && byte !== 0x0a && byte !== END) this.#ignoredBytes++
    }
  }
}
