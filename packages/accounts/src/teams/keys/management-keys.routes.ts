import { Success, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { callerFor } from '../organization/management-access.ts'
import type { ManagementDeps } from '../organization/teams.service.ts'
import * as schema from './keys.schema.ts'
import * as managementKeys from './management-keys.service.ts'

const tags = ['Management']
const OrgParams = Type.Object({ org_id: Uuid })
const KeyParams = Type.Object({ org_id: Uuid, key_id: Uuid })

/**
 * Management keys (docs/contract/01-conventions.md#management-api); part of
 * registerManagementRoutes.
 */
export function registerManagementKeyRoutes(app: App, deps: ManagementDeps): void {
  app.get(
    '/v1/org/:org_id/management_key',
    {
      schema: {
        operationId: 'listManagementKeys',
        tags,
        summary: 'List management keys',
        description: 'Returns management keys in pages, without their values.',
        params: OrgParams,
        querystring: schema.ManagementKeyListQuery,
        response: { 200: schema.ManagementKeyList },
      },
    },
    ({ managementKey, params, query }) =>
      managementKeys.listManagementKeys(deps.db, callerFor(managementKey, params.org_id), query),
  )
  app.post(
    '/v1/org/:org_id/management_key',
    {
      schema: {
        operationId: 'createManagementKey',
        tags,
        summary: 'Create a management key',
        description:
          'Creates a management key. Only this answer contains its value. A key cannot create one that has more rights than itself.',
        params: OrgParams,
        body: schema.ManagementKeyCreate,
        'x-body-example': { label: 'Onboarding', role: 'org_admin' },
        response: { 200: schema.NewManagementKey },
      },
    },
    ({ managementKey, params, body }) =>
      managementKeys.createManagementKey(deps, callerFor(managementKey, params.org_id), body),
  )
  registerSingleManagementKeyRoutes(app, deps)
}

function registerSingleManagementKeyRoutes(app: App, deps: ManagementDeps): void {
  const url = '/v1/org/:org_id/management_key/:key_id'
  app.patch(
    url,
    {
      schema: {
        operationId: 'updateManagementKey',
        tags,
        summary: 'Change the label, the teams or the environments of a management key',
        description: 'Changes the fields that the body contains.',
        params: KeyParams,
        body: schema.ManagementKeyUpdate,
        'x-body-example': { label: 'Onboarding' },
        response: { 200: schema.ManagementKey },
      },
    },
    ({ managementKey, params, body }) =>
      managementKeys.updateManagementKey(
        deps,
        callerFor(managementKey, params.org_id),
        params.key_id,
        body,
      ),
  )
  app.delete(
    url,
    {
      schema: {
        operationId: 'revokeManagementKey',
        tags,
        summary: 'Revoke a management key',
        description:
          'Revokes the key with immediate effect. The last key with the role org_admin cannot be revoked.',
        params: KeyParams,
        response: { 200: Success },
      },
    },
    ({ managementKey, params }) =>
      managementKeys.deleteManagementKey(
        deps,
        callerFor(managementKey, params.org_id),
        params.key_id,
      ),
  )
}
