/** JSON values that documents consist of. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One operation of a document that is being created. */
export interface Operation {
  /** Such as `GET /v2/user/{user_id}`. */
  key: string
  method: string
  path: string
  /** The object in the document, which the steps change. */
  content: JsonObject
}
