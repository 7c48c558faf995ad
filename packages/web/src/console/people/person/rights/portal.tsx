import { Button, NativeSelect, TextInput } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { type Environment, useEnvironment } from '../../../api/environment.ts'
import type { components } from '../../../api/openapi.generated.d.ts'
import { Allowed } from '../../../components/allowed.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { IconLink } from '../../../components/icons.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import '../../../rights/rights.css'

type Schemas = components['schemas']
type Session = Schemas['PortalSession']
type Share = Schemas['PortalShare']
type UrlCreate = Schemas['PortalUrlCreate']

const SESSIONS = '/v2/user/{user_id}/portal_session'
const SHARES = '/v2/user/{user_id}/portal_share'

/** Loads sessions and shares of the page of a person. */
const portalQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'portal'],
    queryFn: async ({ signal }) => {
      const params = { path: { user_id: userId } }
      const [sessions, shares] = await Promise.all([
        unwrapResponse(team.GET(SESSIONS, { params, signal })),
        unwrapResponse(team.GET(SHARES, { params, signal })),
      ])
      return { sessions: sessions.data, shares: shares.data }
    },
  })

/** Returns the actions on the page of a person. */
function usePortal(userId: string) {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const { team } = environment
  const onSuccess = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: portalQuery(environment, userId).queryKey })
  const path = { user_id: userId }
  return {
    create: useMutation({
      mutationFn: (body: UrlCreate) =>
        unwrapResponse(
          team.POST('/v2/user/{user_id}/create_portal_url', { params: { path }, body }),
        ),
      onSuccess,
    }),
    end: useMutation({
      mutationFn: (portal_session_id: string) =>
        unwrapResponse(
          team.DELETE(`${SESSIONS}/{portal_session_id}`, {
            params: { path: { ...path, portal_session_id } },
          }),
        ),
      onSuccess,
    }),
    revoke: useMutation({
      mutationFn: (share_id: string) =>
        unwrapResponse(
          team.DELETE(`${SHARES}/{share_id}`, { params: { path: { ...path, share_id } } }),
        ),
      onSuccess,
    }),
  }
}

/** Makes a link to the page of the person, for roles that may do what the page can. */
export function PortalLinkButton({ userId }: { userId: string }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <Allowed to="rights:write">
      <Button
        variant="outline"
        leftSection={<IconLink size={18} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Link to their page
      </Button>
      <PortalLink userId={userId} isOpen={isOpen} onClose={() => setOpen(false)} />
    </Allowed>
  )
}

const CONTEXTS = [
  { value: 'launch', label: 'Ten minutes, to open it at once' },
  { value: 'communications', label: '28 days, to send it' },
]
const LANGUAGES = [
  { value: '', label: 'That of their browser' },
  { value: 'en', label: 'English' },
  { value: 'de', label: 'German' },
  { value: 'es', label: 'Spanish' },
  { value: 'fr', label: 'French' },
]

interface PortalLinkProps {
  userId: string
  isOpen: boolean
  onClose: () => void
}

function PortalLink({ userId, isOpen, onClose }: PortalLinkProps): ReactNode {
  const { create } = usePortal(userId)
  const [context, setContext] = useState('communications')
  const [language, setLanguage] = useState('')
  const made = create.data
  const close = (): void => {
    create.reset()
    onClose()
  }
  const body = { context, language: language === '' ? null : language } as UrlCreate
  return (
    <Dialog
      title="Link to their page"
      isOpen={isOpen}
      onClose={close}
      actions={
        made === undefined ? (
          <Button loading={create.isPending} onClick={() => create.mutate(body)}>
            Create link
          </Button>
        ) : (
          <CopyButton value={made.url}>Copy link</CopyButton>
        )
      }
    >
      <div className="rights-dialog">
        <p>
          Whoever opens the link sees all data of the person, and can share and download them. Send
          it only to the person. It works once.
        </p>
        {made === undefined ? (
          <>
            <NativeSelect
              label="Valid for"
              value={context}
              data={CONTEXTS}
              onChange={({ currentTarget }) => setContext(currentTarget.value)}
            />
            <NativeSelect
              label="Language"
              value={language}
              data={LANGUAGES}
              onChange={({ currentTarget }) => setLanguage(currentTarget.value)}
            />
          </>
        ) : (
          <>
            <TextInput
              label="Link"
              value={made.url}
              readOnly
              onFocus={({ target }) => target.select()}
            />
            <p className="quiet">It is shown only once.</p>
          </>
        )}
        {create.error !== null && <Failure error={create.error} />}
      </div>
    </Dialog>
  )
}

/** Lists links to the page of the person, its sessions, and with whom the person shares data. */
export function Portal({ userId }: { userId: string }): ReactNode {
  const { data, error, refetch } = useQuery(portalQuery(useEnvironment(), userId))
  const { end, revoke } = usePortal(userId)
  const sessions = data?.sessions.filter(({ share_id: share }) => share === null)
  return (
    <Section
      id="portal"
      title="Page of the person"
      description="Links to the page and browsers that show it, and the links by which the person shares data with others."
    >
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {error === null && data === undefined && <Waiting label="Loading the sessions" lines={2} />}
      {sessions?.length === 0 && <p className="quiet">No links or sessions.</p>}
      {end.error !== null && <Failure error={end.error} />}
      {revoke.error !== null && <Failure error={revoke.error} />}
      <ul className="rights-list">
        {sessions?.map((session) => (
          <SessionItem key={session.id} session={session} onEnd={() => end.mutate(session.id)} />
        ))}
        {data?.shares.map((share) => (
          <ShareItem key={share.id} share={share} onRevoke={() => revoke.mutate(share.id)} />
        ))}
      </ul>
    </Section>
  )
}

function SessionItem({ session, onEnd }: { session: Session; onEnd: () => void }): ReactNode {
  const isUnused = session.status === 'unused'
  return (
    <li className="rights-item">
      <div>
        <p className="rights-item-head">
          <StatusBadge tone={isUnused ? 'neutral' : 'good'}>
            {isUnused ? 'Unused link' : 'Session'}
          </StatusBadge>
        </p>
        <p className="quiet">
          Created <Instant at={session.created_at} isRelative />
          {session.last_used_at !== null && (
            <>
              , last used <Instant at={session.last_used_at} isRelative />
            </>
          )}
          , ends <Instant at={session.expires_at} />
        </p>
      </div>
      <div className="rights-item-actions">
        <Allowed to="people:write">
          <Button variant="subtle" onClick={onEnd}>
            End
          </Button>
        </Allowed>
      </div>
    </li>
  )
}

const SHARE_STATES = {
  active: { tone: 'info', label: 'Shared' },
  expired: { tone: 'neutral', label: 'Expired' },
  revoked: { tone: 'neutral', label: 'Revoked' },
} as const

function ShareItem({ share, onRevoke }: { share: Share; onRevoke: () => void }): ReactNode {
  const { tone, label } = SHARE_STATES[share.status]
  return (
    <li className="rights-item">
      <div>
        <p className="rights-item-head">
          <StatusBadge tone={tone}>{label}</StatusBadge>
          <span>{share.label}</span>
          <span className="quiet">{share.kinds.join(', ')}</span>
        </p>
        <p className="quiet">
          Created <Instant at={share.created_at} isRelative />, until{' '}
          <Instant at={share.expires_at} />
          {share.last_used_at === null ? (
            ', not opened yet'
          ) : (
            <>
              , last opened <Instant at={share.last_used_at} isRelative />
            </>
          )}
        </p>
      </div>
      {share.status === 'active' && (
        <div className="rights-item-actions">
          <Allowed to="rights:write">
            <Button variant="subtle" onClick={onRevoke}>
              Revoke
            </Button>
          </Allowed>
        </div>
      )}
    </li>
  )
}
