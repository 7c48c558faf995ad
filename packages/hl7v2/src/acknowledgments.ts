import { type Charset, encodeText } from './charsets.ts'
import type { Message, Segment } from './message.ts'
import { areUsable, USUAL_SEPARATORS } from './separators.ts'
import { writeTime } from './times.ts'
import { type FieldValue, type NewSegment, type RawValue, writeMessage } from './write-message.ts'

const CODES = ['AA', 'AE', 'AR', 'CA', 'CE', 'CR'] as const
/**
 * MSA-1. Application: AA accepted, AE error, AR refused. Commit, in enhanced mode: CA stored, CE
 * not stored for an error, CR refused.
 */
export type AckCode = (typeof CODES)[number]

/** A position in a message. What is not known is left out. */
export interface ErrorLocation {
  segment: string
  /** Which of the segments of this name; 1 is the first. */
  sequence?: number
  field?: number
  repetition?: number
  component?: number
  subcomponent?: number
}

/** An error of an acknowledgment, from ERR. */
export interface AckError {
  /**
   * Table 0357, such as 101 (required field missing) or 207 (internal error); '' when not given.
   */
  code: string
  /** E, W, I or F; '' in versions before 2.5, which have none. */
  severity: string
  location?: ErrorLocation
  /** '' when not given. */
  text: string
}

export interface NewAck {
  /** The message to answer; undefined when what came was no message. */
  to: Message | undefined
  code: AckCode
  /** MSH-10 of the answer itself. */
  controlId: string
  /** The time of the answer, epoch milliseconds, written as local time of `zone` (IANA). */
  at: number
  zone: string
  /** MSA-3. */
  text?: string
  errors?: readonly AckError[]
}

/** A required field needs a value, even when the sender gave no control id. */
const NO_CONTROL_ID = 'UNKNOWN'
const VERSION_OF_NO_MESSAGE = '2.5.1'

/**
 * Builds an acknowledgment with the separators (where they are usable), version, processing id and
 * character set of the message that it answers. MSA-2 repeats its control id as sent, and `UNKNOWN`
 * where it has none. ERR has the form of the version: one segment an error since 2.5, repetitions
 * of ERR-1 before. Characters of texts that the character set lacks are replaced.
 */
export function buildAck(ack: NewAck): Buffer {
  const { to, code } = ack
  const version = to?.version || VERSION_OF_NO_MESSAGE
  const separators = to !== undefined && areUsable(to.separators) ? to.separators : USUAL_SEPARATORS
  const msa: NewSegment = {
    name: 'MSA',
    fields: { 1: code, 2: copyOf(to, 10) ?? NO_CONTROL_ID, 3: ack.text },
  }
  const errors = ack.errors ?? []
  const segments = [
    headerOf(ack, version),
    msa,
    ...(isOld(version) ? oldErrors(errors) : errors.map(newError)),
  ]
  return writeMessage(segments, { separators, charset: charsetFor(to), transliterates: true })
}

/** ASCII, unless the copied fields need the character set in which they were read. */
function charsetFor(to: Message | undefined): Charset {
  const copied = [3, 4, 5, 6, 10, 11, 12, 18].map((at) => to?.header.field(at).raw ?? '').join('')
  return encodeText(copied, 'us-ascii') === undefined ? (to?.raw.charset ?? 'us-ascii') : 'us-ascii'
}

/**
 * A field of the answered message as it was sent; undefined for an empty one. Control characters,
 * such as a line end inside the field, would break the answer.
 */
function copyOf(to: Message | undefined, field: number): RawValue | string | undefined {
  const raw = (to?.header.field(field).raw ?? '').replace(/\p{Cc}/gu, '')
  if (to === undefined || raw.trim() === '') return undefined
  return areUsable(to.separators) ? { raw } : raw
}

const isOld = (version: string): boolean => /^2\.[1-4]/.test(version)

function headerOf(ack: NewAck, version: string): NewSegment {
  const { to } = ack
  return {
    name: 'MSH',
    fields: {
      3: copyOf(to, 5),
      4: copyOf(to, 6),
      5: copyOf(to, 3),
      6: copyOf(to, 4),
      7: writeTime(ack.at, { zone: ack.zone }),
      9: messageType(to?.type.trigger ?? '', version),
      10: ack.controlId,
      11: copyOf(to, 11) ?? 'P',
      12: copyOf(to, 12) ?? version,
      // A charset that the answered message did not name is not named by the answer either.
      18: copyOf(to, 18) ?? '',
    },
  }
}

/** ACK alone in 2.3 and before; with the trigger since 2.3.1, and with the structure since 2.4. */
function messageType(trigger: string, version: string): FieldValue {
  if (/^2\.([12]|3$)/.test(version) || trigger === '') return 'ACK'
  return version === '2.3.1' ? ['ACK', trigger] : ['ACK', trigger, 'ACK']
}

/**
 * ERR-1 before 2.5, a type of its own (ELD): segment, sequence, field, and the code with its text.
 */
function oldErrors(errors: readonly AckError[]): NewSegment[] {
  if (errors.length === 0) return []
  const repetitions = errors.map(({ location, code, text }) => [
    location?.segment,
    location?.sequence,
    location?.field,
    [code, text, code === '' ? '' : 'HL70357'],
  ])
  return [{ name: 'ERR', fields: { 1: { repetitions } } }]
}

function newError({ location, code, severity, text }: AckError): NewSegment {
  const position = location && [
    location.segment,
    location.sequence,
    location.field,
    location.repetition,
    location.component,
    location.subcomponent,
  ]
  return {
    name: 'ERR',
    fields: {
      2: position,
      3: [code, '', code === '' ? '' : 'HL70357'],
      4: severity || 'E',
      8: text,
    },
  }
}

/** An acknowledgment that was received. */
export interface Ack {
  /** MSA-1; undefined when it has none of the six codes. */
  code: AckCode | undefined
  /** MSA-2: the control id of the message that it answers. Answers are matched by it alone. */
  controlId: string
  /** MSA-3. */
  text: string
  errors: AckError[]
}

/**
 * Reads the acknowledgment in a message: ACK, ORR, ORL and others with MSA. Both forms of ERR are
 * read whatever the version, and the error condition of MSA-6.
 * @returns undefined for a message without MSA
 */
export function readAck(message: Message): Ack | undefined {
  const msa = message.first('MSA')
  if (msa === undefined) return undefined
  const sent = msa.text(1).trim().toUpperCase()
  const errors = message.all('ERR').flatMap(readErrors)
  const condition = msa.text(6)
  if (errors.length === 0 && condition !== '') {
    errors.push({ code: condition, severity: '', text: msa.text(6, 2) })
  }
  return {
    code: CODES.find((code) => code === sent),
    controlId: msa.field(2).freeText.trim(),
    text: msa.field(3).freeText,
    errors,
  }
}

function readErrors(err: Segment): AckError[] {
  // Some senders of 2.5 fill the old field beside the new ones.
  if ([2, 3, 4, 7, 8].some((position) => !err.field(position).isEmpty)) return [readNewError(err)]
  return err.field(1).repetitions.map((repetition) => {
    const [segment, sequence, field] = [1, 2, 3].map((at) => repetition.component(at, 1))
    const location = locationOf([segment, sequence, field])
    // The code is one component with subcomponents, or its parts are the components that follow.
    const isSplit = repetition.component(5) !== ''
    return {
      code: repetition.component(4, 1),
      severity: '',
      ...(location && { location }),
      text: isSplit ? repetition.component(5) : repetition.component(4, 2),
    }
  })
}

function readNewError(err: Segment): AckError {
  const parts = [1, 2, 3, 4, 5, 6].map((component) => err.text(2, component))
  const location = locationOf(parts)
  const texts = [err.field(8).freeText, err.field(7).freeText, err.text(3, 2), err.text(3, 9)]
  return {
    code: err.text(3),
    severity: err.text(4),
    ...(location && { location }),
    text: texts.find((text) => text !== '') ?? '',
  }
}

function locationOf(parts: readonly (string | undefined)[]): ErrorLocation | undefined {
  const segment = parts[0] ?? ''
  if (segment === '') return undefined
  const names = ['sequence', 'field', 'repetition', 'component', 'subcomponent'] as const
  const numbers = names.flatMap((name, index) => {
    const text = parts[index + 1] ?? ''
    return /^\d{1,6}$/.test(text) ? [[name, Number(text)]] : []
  })
  return { segment, ...Object.fromEntries(numbers) }
}
