import { sourceTypeOf } from '../../ingest/index.ts'
import { type Fields, isFields, readKey, readText } from './item-reader.ts'
import type { ItemContext } from './parsed-item.ts'

/** What an item says of its source, in the keys of a sample. */
export interface ItemSource {
  sourceType: string
  appId: string
  /** Product name of the device, or empty. */
  deviceModel: string
  metadata: Fields
  /** The keys of a sample that name app, device and type, for samples of the same source. */
  keys: { source_bundle: string; product_type: string; type: string; metadata: Fields }
}

/** The source of an item, its type said or inferred like that of a sample; undefined: no such type. */
export function readSource({ provider }: ItemContext, fields: Fields): ItemSource | undefined {
  const metadata = readKey(fields, 'metadata')
  const known = isFields(metadata) ? metadata : {}
  const keys = {
    source_bundle: readText(fields, 'source_bundle'),
    product_type: readText(fields, 'product_type'),
    type: readKey(fields, 'source_type') ?? readKey(fields, 'type') ?? null,
    metadata: known,
  }
  const type = sourceTypeOf(provider, keys, known)
  if (type === undefined) return undefined
  return {
    sourceType: type,
    appId: keys.source_bundle,
    deviceModel: readText(known, '_DMO') || keys.product_type,
    metadata: known,
    keys: { ...keys, type },
  }
}
