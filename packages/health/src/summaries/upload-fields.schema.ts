import { DateTimeInput, Nullable, TextEnum } from '@salus/contracts/schema-types'
import { SOURCE_TYPES } from '@salus/contracts/series'
import Type, { type TSchema } from 'typebox'
import { QuantitySample } from '../ingest/index.ts'

/**
 * The items of uploads (docs/contract/07-mobile-sync.md#upload-calls), in the spelling of iOS. They
 * are documentation: each item is checked separately, and may omit what has no value.
 */
export const number = (description?: string) =>
  Type.Optional(Nullable(Type.Number(description ? { description } : {})))
/** An optional text, which may be null. */
export const text = () => Type.Optional(Nullable(Type.String()))
/** An optional list of samples with values, which may be null. */
export const samples = () => Type.Optional(Nullable(Type.Array(QuantitySample)))
/** An object of an upload, with its name in the document. */
export const object = (title: string, properties: Record<string, TSchema>) =>
  Type.Object(properties, { title })

/** Returns the same schema under each name. */
export function sameSchema<S extends TSchema>(
  names: Iterable<string>,
  schema: S,
): Record<string, S> {
  return Object.fromEntries([...names].map((name) => [name, schema]))
}

/** Source fields of an item. */
export const sourceFields = {
  source_bundle: text(),
  product_type: text(),
  source_type: Type.Optional(Nullable(TextEnum(SOURCE_TYPES))),
  metadata: Type.Optional(Nullable(Type.Record(Type.String(), Type.String()))),
}
/** Fields at the start of a sleep or workout. */
export const recordedSessionFields = {
  id: text(),
  start_date: DateTimeInput,
  end_date: DateTimeInput,
  ...sourceFields,
}
