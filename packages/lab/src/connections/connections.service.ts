import { isDeepStrictEqual } from 'node:util'
import { endTasks } from '@salus/accounts/tasks'
import { LabConnectionConfig } from '@salus/contracts/lab-gateway'
import { badRequest, InputError, type InputProblem, notFoundCode } from '@salus/kernel/errors'
import { createValidatorCompiler } from '@salus/kernel/http/validation'
import { newId } from '@salus/kernel/ids'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import Type, { type TSchema } from 'typebox'
import { findLabBySlug } from '../catalog/index.ts'
import type { ConnectionParts } from './connection-parts.ts'
import type { ConnectionRow } from './connections.global.repository.ts'
import * as repository from './connections.repository.ts'
import type {
  LabConnection,
  LabConnectionCheck,
  LabConnectionImport,
  LabConnectionInput,
} from './connections.schema.ts'
import { openSecrets, sealSecrets } from './secrets.ts'
import { showConnection, showConnections } from './show-connections.service.ts'

/** Returns the connections of the environment by name. */
export const listLabConnections = (scope: Scope, parts: ConnectionParts) =>
  showConnections(scope, parts)

/** Returns one connection. @throws AppError 404 `lab_connection_not_found` */
export async function getLabConnection(
  scope: Scope,
  parts: ConnectionParts,
  name: string,
): Promise<LabConnection> {
  return showConnection(scope, parts, await requireConnectionRow(scope, name))
}

/** @throws AppError 404 `lab_connection_not_found` */
export async function requireConnectionRow(scope: Scope, name: string): Promise<ConnectionRow> {
  const row = await repository.findConnection(scope, name)
  if (row === undefined || row.deleted_at !== null) throw notFoundCode('lab_connection_not_found')
  return row
}

/**
 * Stores a connection, or changes the stored one of its name. Other processes notice the change
 * within seconds.
 * @throws AppError 422 for what is wrong in the configuration; 400 `lab_already_connected`,
 *   `lab_connection_name_taken`
 */
export async function importConnection(
  scope: Scope,
  parts: ConnectionParts,
  name: string,
  { input, isDryRun }: { input: LabConnectionInput; isDryRun: boolean },
): Promise<LabConnectionImport> {
  const warnings = await checkInput(scope, parts, name, input)
  const known = await repository.findConnection(scope, name)
  if (known?.deleted_at) {
    throw badRequest('lab_connection_name_taken', 'A deleted connection has the name.')
  }
  const isEnabled = input.config.enabled ?? true
  if (isEnabled) await requireOnly(scope, input.config.lab, known?.id)
  const changed = changedKeys(known, input)
  const outcome = known === undefined ? 'created' : changed.length > 0 ? 'changed' : 'unchanged'
  const about = { outcome, is_dry_run: isDryRun, changed, warnings } as const
  if (isDryRun) return { ...about, connection: null }
  const row = await scope.transaction((tx) => storeConnection(tx, parts, name, { known, input }))
  await parts.registry.refresh()
  return { ...about, connection: await showConnection(scope, parts, row) }
}

/** @returns warnings @throws InputError */
async function checkInput(
  scope: Scope,
  { checkConfig }: ConnectionParts,
  name: string,
  { config }: LabConnectionInput,
): Promise<string[]> {
  requireShape(config)
  const found = checkConfig(config)
  const problems: InputProblem[] = found
    .filter(({ isWarning }) => !isWarning)
    .map(({ path, message }) => ({
      loc: ['body', 'config', ...path],
      msg: message,
      type: 'invalid_config',
    }))
  if (config.connection !== name) {
    const msg = 'The name must be the one in the path.'
    problems.push({ loc: ['body', 'config', 'connection'], msg, type: 'invalid_config' })
  }
  if ((await findLabBySlug(scope.db, config.lab)) === undefined) {
    const msg = 'The catalog has no laboratory with this slug.'
    problems.push({ loc: ['body', 'config', 'lab'], msg, type: 'invalid_config' })
  }
  if (problems.length > 0) throw new InputError(problems)
  return found.filter(({ isWarning }) => isWarning).map(({ message }) => message)
}

type Validator = ReturnType<ReturnType<typeof createValidatorCompiler>>

const compileSchema = createValidatorCompiler()
/** Validators by the kinds of transports. Compiling one takes a tenth of a second. */
const validators = new Map<string, Validator>()

/** @throws InputError for what the schema of a configuration refuses */
function requireShape(config: LabConnectionConfig): void {
  const { orders, results, ...properties } = LabConnectionConfig.properties
  const ordersSchema = chooseTransport(orders, config.orders?.kind)
  const resultsSchema = chooseTransport(results, config.results?.kind)
  const kinds = [ordersSchema, resultsSchema].map((chosen) => chosen.properties?.kind.const).join()
  let validate = validators.get(kinds)
  if (validate === undefined) {
    const transports = {
      orders: Type.Optional(ordersSchema),
      results: Type.Optional(resultsSchema),
    }
    const schema = Type.Object({
      config: Type.Object({ ...properties, ...transports }, { additionalProperties: false }),
    })
    validate = compileSchema({ schema, httpPart: 'body', method: '', url: '' })
    validators.set(kinds, validate)
  }
  const { error } = validate({ config }) as { error?: Error }
  if (error !== undefined) throw error
}

interface TransportSchema extends TSchema {
  properties?: { kind: { const: string } }
}

/** Returns the member of the kind that is named, so that only its problems are reported. */
function chooseTransport(
  union: { anyOf: { properties: { kind: { const: string } } }[] },
  kind: unknown,
): TransportSchema {
  const named = union.anyOf.find((member) => member.properties.kind.const === kind)
  return (named ?? union) as TransportSchema
}

/** @throws AppError 400 `lab_already_connected` */
async function requireOnly(scope: Scope, labSlug: string, ownId: string | undefined) {
  const enabled = await repository.findEnabled(scope, labSlug)
  if (enabled === undefined || enabled.id === ownId) return
  throw badRequest('lab_already_connected', 'Another enabled connection serves the laboratory.', {
    connection: enabled.name,
  })
}

function changedKeys(known: ConnectionRow | undefined, input: LabConnectionInput): string[] {
  const before: Record<string, unknown> = { ...known?.config }
  const after: Record<string, unknown> = { ...input.config }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  const changed = keys.filter((key) => !isDeepStrictEqual(before[key], after[key]))
  return Object.keys(input.secrets ?? {}).length > 0 ? [...changed, 'secrets'] : changed
}

async function storeConnection(
  tx: TransactionScope,
  { secrets }: ConnectionParts,
  name: string,
  { known, input }: { known: ConnectionRow | undefined; input: LabConnectionInput },
): Promise<ConnectionRow> {
  const id = known?.id ?? newId()
  const at = tx.clock.now()
  const values = { ...(known && openSecrets(secrets, known)), ...input.secrets }
  const settings = {
    lab_slug: input.config.lab,
    config: JSON.stringify(input.config),
    secrets: Object.keys(values).length > 0 ? sealSecrets(secrets, id, values) : null,
    is_enabled: input.config.enabled ?? true,
    updated_at: at,
  }
  const row =
    known === undefined
      ? await repository.insertConnection(tx, {
          ...settings,
          id,
          name,
          next_requisition: null,
          created_at: at,
        })
      : await repository.updateConnection(tx, id, settings)
  await repository.notifyChange(tx)
  return row
}

/** Holds back orders, or sends them again. @throws AppError 404 `lab_connection_not_found` */
export async function holdConnection(
  scope: Scope,
  parts: ConnectionParts,
  name: string,
  isHeld: boolean,
): Promise<LabConnection> {
  const { id } = await requireConnectionRow(scope, name)
  const row = await scope.transaction(async (tx) => {
    await repository.notifyChange(tx)
    return repository.updateConnection(tx, id, { is_held: isHeld, updated_at: tx.clock.now() })
  })
  await parts.registry.refresh()
  return showConnection(scope, parts, row)
}

/**
 * Ends a connection for good. Its messages stay with their orders, and its name is not used again.
 * @throws AppError 404 `lab_connection_not_found`
 */
export async function deleteConnection(
  scope: Scope,
  { registry }: ConnectionParts,
  name: string,
): Promise<void> {
  const { id } = await requireConnectionRow(scope, name)
  await scope.transaction(async (tx) => {
    const at = tx.clock.now()
    const ended = { is_enabled: false, secrets: null, deleted_at: at, updated_at: at }
    await repository.updateConnection(tx, id, ended)
    await endTasks(tx, ['lab_connection'], [id], 'cancelled')
    await repository.notifyChange(tx)
  })
  await registry.refresh()
}

/**
 * Tries a connection without sending a message.
 * @throws AppError 404 `lab_connection_not_found`
 */
export async function checkConnection(
  scope: Scope,
  { registry }: ConnectionParts,
  name: string,
): Promise<LabConnectionCheck> {
  const row = await requireConnectionRow(scope, name)
  const opened = registry.openRow(row, scope.environment.kind)
  const checks = await opened.check()
  return { is_ready: checks.every(({ problem }) => problem === null), checks }
}
