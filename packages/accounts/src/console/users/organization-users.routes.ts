import { Success, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import Type from 'typebox'
import { callerFor } from '../../teams/index.ts'
import type { ConsoleContext } from '../console-sessions.service.ts'
import { inviteUser, repeatInvitation, revokeInvitation } from './invitations.service.ts'
import {
  Invitation,
  OrganizationUser,
  OrganizationUserInvite,
  OrganizationUserList,
  OrganizationUserListQuery,
  OrganizationUserUpdate,
} from './organization-users.schema.ts'
import * as users from './organization-users.service.ts'

const tags = ['Management']
const list = '/v1/org/:org_id/user'
const one = `${list}/:organization_user_id`
const OrgParams = Type.Object({ org_id: Uuid })
const UserParams = Type.Object({ org_id: Uuid, organization_user_id: Uuid })

/**
 * Registers the users of an organization (docs/contract/23-users-of-an-organization.md). The scope
 * needs the hook of createManagementAuthentication.
 */
export function registerOrganizationUserRoutes(app: App, context: ConsoleContext): void {
  app.get(
    list,
    {
      schema: {
        operationId: 'listOrganizationUsers',
        tags,
        summary: 'List the users of the organization',
        description:
          'Returns users who sign in to the console and have no more rights than the caller, the oldest first, in pages.',
        params: OrgParams,
        querystring: OrganizationUserListQuery,
        response: { 200: OrganizationUserList },
      },
    },
    ({ managementKey, params, query }) =>
      users.listOrganizationUsers(context.db, callerFor(managementKey, params.org_id), query),
  )
  app.post(
    list,
    {
      schema: {
        operationId: 'inviteOrganizationUser',
        tags,
        summary: 'Invite a user to the organization',
        description:
          'Creates a user and an invitation. Only this answer contains its link, which is valid once, for seven days. The user gets no more rights than the caller has.',
        params: OrgParams,
        body: OrganizationUserInvite,
        'x-body-example': { email: 'ada@example.com', name: 'Ada Moreau', role: 'viewer' },
        response: { 200: Invitation },
      },
    },
    (request) => {
      const { managementKey, params, body } = request
      const serverUrl = baseUrlOf(request, context.config.baseUrl)
      return inviteUser(context, callerFor(managementKey, params.org_id), body, serverUrl)
    },
  )
  registerSingleUserRoutes(app, context)
  registerUserRemoval(app, context)
  registerInvitationsOfUser(app, context)
  registerFactorReset(app, context)
}

function registerSingleUserRoutes(app: App, context: ConsoleContext): void {
  app.get(
    one,
    {
      schema: {
        operationId: 'getOrganizationUser',
        tags,
        summary: 'Get a user of the organization',
        description: 'Returns the user with role, state and second factors.',
        params: UserParams,
        response: { 200: OrganizationUser },
      },
    },
    ({ managementKey, params }) =>
      users.getOrganizationUser(
        context.db,
        callerFor(managementKey, params.org_id),
        params.organization_user_id,
      ),
  )
  app.patch(
    one,
    {
      schema: {
        operationId: 'updateOrganizationUser',
        tags,
        summary: 'Change the role, the teams, the name or the status of a user',
        description:
          'Changes the fields that the body contains. The sessions of a suspended user end at once. The last org_admin cannot be demoted or suspended, and no one changes their own role or status.',
        params: UserParams,
        body: OrganizationUserUpdate,
        'x-body-example': { role: 'clinician' },
        response: { 200: OrganizationUser },
      },
    },
    ({ managementKey, params, body }) =>
      users.updateOrganizationUser(
        context,
        callerFor(managementKey, params.org_id),
        params.organization_user_id,
        body,
      ),
  )
}

function registerUserRemoval(app: App, context: ConsoleContext): void {
  app.delete(
    one,
    {
      schema: {
        operationId: 'removeOrganizationUser',
        tags,
        summary: 'Remove a user from the organization',
        description:
          'Removes the user, whose sessions end at once. The audit log keeps their name. The last org_admin cannot be removed.',
        params: UserParams,
        response: { 200: Success },
      },
    },
    ({ managementKey, params }) =>
      users.removeOrganizationUser(
        context,
        callerFor(managementKey, params.org_id),
        params.organization_user_id,
      ),
  )
}

function registerInvitationsOfUser(app: App, context: ConsoleContext): void {
  app.post(
    `${one}/invitation`,
    {
      schema: {
        operationId: 'createOrganizationInvitation',
        tags,
        summary: 'Create a new invitation for a user',
        description:
          'Creates a link in place of an earlier one, which ends. With it a user who is active sets a new password.',
        params: UserParams,
        response: { 200: Invitation },
      },
    },
    (request) => {
      const { managementKey, params } = request
      const caller = callerFor(managementKey, params.org_id)
      const serverUrl = baseUrlOf(request, context.config.baseUrl)
      return repeatInvitation(context, caller, params.organization_user_id, serverUrl)
    },
  )
  app.delete(
    `${one}/invitation`,
    {
      schema: {
        operationId: 'revokeOrganizationInvitation',
        tags,
        summary: 'Revoke the invitation of a user',
        description: 'Ends the link. The user stays, and can be invited again or removed.',
        params: UserParams,
        response: { 200: Success },
      },
    },
    ({ managementKey, params }) =>
      revokeInvitation(
        context,
        callerFor(managementKey, params.org_id),
        params.organization_user_id,
      ),
  )
}

function registerFactorReset(app: App, context: ConsoleContext): void {
  app.delete(
    `${one}/second_factor`,
    {
      schema: {
        operationId: 'resetOrganizationUserSecondFactor',
        tags,
        summary: 'Remove the second factors of a user',
        description:
          'Removes authenticator app, recovery codes and passkeys of a user who lost them, and ends their sessions. The password stays.',
        params: UserParams,
        response: { 200: OrganizationUser },
      },
    },
    ({ managementKey, params }) =>
      users.resetSecondFactor(
        context,
        callerFor(managementKey, params.org_id),
        params.organization_user_id,
      ),
  )
}
