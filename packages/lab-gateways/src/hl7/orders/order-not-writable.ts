/**
 * An order that the rules of the connection cannot write, however often it is tried. It has only
 * codes, since the values may be personal.
 */
export class OrderNotWritable extends Error {
  /** Such as `NO_ORDER_CODE`. */
  readonly code: string
  /** Segment and field, such as `OBR-4`. */
  readonly location: string | null

  constructor(code: string, location: string | null) {
    super(`The order cannot be written: ${code}.`)
    this.name = 'OrderNotWritable'
    this.code = code
    this.location = location
  }
}
