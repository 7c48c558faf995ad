import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { usePermission, useSession } from '../../api/session.ts'
import { type Team, teamsQuery } from '../../api/teams.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { IconUserPlus } from '../../components/icons.tsx'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/page.tsx'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { ROLE_WORDS } from './role-fields.tsx'
import { SecondFactorPolicy } from './second-factor-policy.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { UserDialog } from './user-dialog.tsx'
import { type Invitation, type OrganizationUser, useOrganizationUsers } from './user-queries.ts'

/** Lists the users who sign in to the console, and invites and changes them. */
export function OrganizationUsers(): ReactNode {
  const { organization, user: own, key } = useSession()
  const { data: teams } = useSuspenseQuery(teamsQuery(organization.id))
  const mayChange = usePermission('keys:write')
  const list = useOrganizationUsers(organization.id)
  const [isInviting, setInviting] = useState(false)
  const [invitation, setInvitation] = useState<Invitation>()
  const [chosenId, setChosenId] = useState<string>()
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data])
  const columns = useMemo(
    () => columnsOf(teams, own?.id, mayChange ? setChosenId : undefined),
    [teams, own?.id, mayChange],
  )
  return (
    <>
      <Section
        title="Users"
        description="People who sign in to this console. Each acts under their own name in the audit log."
        actions={
          mayChange && (
            <Button
              leftSection={<IconUserPlus size={16} aria-hidden />}
              onClick={() => setInviting(true)}
            >
              Invite user
            </Button>
          )
        }
      >
        {list.error !== null && rows === undefined ? (
          <Failure error={list.error} onRetry={() => list.refetch()} />
        ) : (
          <DataTable
            label="Users"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            more={list}
            empty={
              <EmptyState title="No users yet.">
                Invite colleagues, so that each signs in for themselves.
              </EmptyState>
            }
          />
        )}
        <InviteDialog
          isOpen={isInviting}
          onClose={() => setInviting(false)}
          onInvited={setInvitation}
        />
        <UserDialog
          user={rows?.find(({ id }) => id === chosenId)}
          onClose={() => setChosenId(undefined)}
          onInvited={(made) => {
            setChosenId(undefined)
            setInvitation(made)
          }}
        />
        <SecretDialog
          title={`Link for ${invitation?.user.name}`}
          value={invitation?.url}
          onClose={() => setInvitation(undefined)}
        >
          Send it to {invitation?.user.email}. It works once, for seven days; whoever opens it first
          sets the password.
        </SecretDialog>
      </Section>
      {key.role === 'org_admin' && <SecondFactorPolicy />}
    </>
  )
}

const STATUS: Readonly<Record<OrganizationUser['status'], [Tone, string]>> = {
  invited: ['info', 'Invited'],
  active: ['good', 'Active'],
  suspended: ['bad', 'Suspended'],
}

function describeFactors({ has_totp: hasApp, passkeys }: OrganizationUser): string {
  const parts = [
    ...(hasApp ? ['App'] : []),
    ...(passkeys === 0 ? [] : [passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`]),
  ]
  return parts.join(', ') || 'None'
}

function columnsOf(
  teams: readonly Team[],
  ownId: string | undefined,
  onChoose: ((userId: string) => void) | undefined,
): readonly Column<OrganizationUser>[] {
  const nameOf = (teamId: string): string => teams.find(({ id }) => id === teamId)?.name ?? teamId
  return [
    {
      key: 'name',
      title: 'Name',
      render: ({ id, name, email }) => (
        <span>
          {name}
          {id === ownId && <span className="quiet"> (you)</span>}
          <br />
          <span className="quiet">{email}</span>
        </span>
      ),
    },
    {
      key: 'role',
      title: 'Role',
      render: ({ role, team_role_bindings: bindings, environments }) => (
        <span>
          {ROLE_WORDS[role]}
          <br />
          <span className="quiet">
            {bindings === null
              ? 'All teams'
              : bindings.map(({ team_id }) => nameOf(team_id)).join(', ') || 'No team'}
            {environments !== null && `, ${environments.join(', ')}`}
          </span>
        </span>
      ),
    },
    {
      key: 'status',
      title: 'Status',
      render: ({ status }) => {
        const [tone, words] = STATUS[status]
        return <StatusBadge tone={tone}>{words}</StatusBadge>
      },
    },
    { key: 'factors', title: 'Second factor', render: describeFactors },
    {
      key: 'last',
      title: 'Last sign-in',
      render: ({ last_sign_in_at: at }) => (at === null ? 'Never' : <Instant at={at} isRelative />),
    },
    ...(onChoose === undefined
      ? []
      : [
          {
            key: 'change',
            title: 'Actions',
            width: '6rem',
            render: ({ id, name }: OrganizationUser) => (
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={`Change ${name}`}
                onClick={() => onChoose(id)}
              >
                Change
              </Button>
            ),
          },
        ]),
  ]
}
