import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { management, unwrapResponse } from '../../api/client.ts'
import type { components } from '../../api/openapi.generated.d.ts'

export type OrganizationUser = components['schemas']['OrganizationUser']
export type Invitation = components['schemas']['OrganizationInvitation']
type Invite = components['schemas']['OrganizationUserInvite']
type Update = components['schemas']['OrganizationUserUpdate']

/** Users belong to the organization, so the list is the same in every environment. */
const usersKey = (orgId: string) => ['organization users', orgId]

/** Lists the users of the organization. */
export function useOrganizationUsers(orgId: string) {
  return useInfiniteQuery({
    queryKey: usersKey(orgId),
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === null ? {} : { next_cursor: pageParam }
      const params = { path: { org_id: orgId }, query }
      return unwrapResponse(management.GET('/v1/org/{org_id}/user', { params, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
}

/** Requests that change a user of the organization. */
export function userRequests(orgId: string) {
  const url = '/v1/org/{org_id}/user/{organization_user_id}'
  const of = (id: string) => ({ params: { path: { org_id: orgId, organization_user_id: id } } })
  return {
    invite: (body: Invite) =>
      unwrapResponse(
        management.POST('/v1/org/{org_id}/user', { params: { path: { org_id: orgId } }, body }),
      ),
    update: ({ id, ...body }: Update & { id: string }) =>
      unwrapResponse(management.PATCH(url, { ...of(id), body })),
    remove: (id: string) => unwrapResponse(management.DELETE(url, of(id))),
    makeLink: (id: string) => unwrapResponse(management.POST(`${url}/invitation`, of(id))),
    revokeLink: (id: string) => unwrapResponse(management.DELETE(`${url}/invitation`, of(id))),
    resetFactors: (id: string) => unwrapResponse(management.DELETE(`${url}/second_factor`, of(id))),
  }
}

/** Sends a request that changes users, and reads the list again. */
export function useUserChange<Input, Output>(
  orgId: string,
  change: (input: Input) => Promise<Output>,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: usersKey(orgId) })
      await queryClient.invalidateQueries({ queryKey: ['console sessions'] })
    },
  })
}
