import { Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/failure.tsx'
import { Section } from '../../components/page.tsx'
import { useUserChange } from './user-queries.ts'

/** Whether users of the organization need a second factor. */
export function SecondFactorPolicy(): ReactNode {
  const { organization } = useSession()
  const queryClient = useQueryClient()
  const params = { path: { org_id: organization.id } }
  const queryKey = ['organization', organization.id]
  const stored = useQuery({
    queryKey,
    queryFn: () => unwrapResponse(management.GET('/v1/org/{org_id}', { params })),
  })
  const change = useUserChange(organization.id, async (isRequired: boolean) => {
    const body = { second_factor_required: isRequired }
    const changed = await unwrapResponse(management.PATCH('/v1/org/{org_id}', { params, body }))
    queryClient.setQueryData(queryKey, changed)
  })
  return (
    <Section title="Sign-in">
      <Switch
        label="Require a second factor"
        description="Users without an authenticator app or a passkey set one up before they see anything else, also in sessions that are open now. Management keys are not affected."
        checked={stored.data?.second_factor_required ?? false}
        disabled={stored.data === undefined || change.isPending}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
      />
      {change.error !== null && <Failure error={change.error} />}
    </Section>
  )
}
