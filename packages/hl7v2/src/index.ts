/**
 * Messages of HL7 v2: reading and writing, acknowledgments, values of results, and frames of MLLP.
 * Nothing here reads files or sockets, and no error has a part of a message.
 */
export {
  type Ack,
  type AckCode,
  type AckError,
  buildAck,
  type ErrorLocation,
  type NewAck,
  readAck,
} from './acknowledgments.ts'
export { type Charset, charsetNamed, nameOfCharset } from './charsets.ts'
export {
  type Batch,
  type DecodedMessages,
  type DecodingOptions,
  type DecodingProblem,
  decodeMessages,
  type Envelope,
} from './decode-messages.ts'
export { type Document, type DocumentKind, kindOf } from './documents.ts'
export { cutEscaped, escapeText, unescapeText } from './escapes.ts'
export { type FrameEvent, FrameReader, frame } from './frames.ts'
export {
  Field,
  joinSegments,
  Message,
  type RawMessage,
  Repetition,
  readMessage,
  Segment,
} from './message.ts'
export { type Separators, USUAL_SEPARATORS } from './separators.ts'
export { type Hl7Time, readTime, type TimePrecision, writeTime } from './times.ts'
export { transliterate } from './transliterate.ts'
export {
  type Code,
  type ObservationValue,
  type Quantity,
  readCodes,
  readNumber,
  readQuantity,
  readValue,
  textOfCode,
} from './values.ts'
export {
  type ComponentValue,
  type CutValue,
  type FieldValue,
  type NewSegment,
  type RawValue,
  type RepeatedValue,
  type SingleValue,
  type Text,
  UnencodableTextError,
  type WritingOptions,
  writeMessage,
} from './write-message.ts'
