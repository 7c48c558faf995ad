import Type from 'typebox'
import { Nullable, TextEnum, Uuid } from '../../../platform/http/schema-types.ts'
import { SOURCE_TYPES } from '../../series/index.ts'

/** The source once more, as some objects have it in fields of their own. */
export const flatSource = {
  source_provider: Type.String({ description: 'Provider slug.' }),
  source_type: TextEnum(SOURCE_TYPES),
  source_app_id: Nullable(Type.String()),
  source_device_id: Nullable(Uuid),
}
