import { ActionIcon, NativeSelect, SegmentedControl } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams, useRouterState } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { type EnvironmentKind, teamApi } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { teamsQuery } from '../api/teams.ts'
import { Dialog } from '../components/dialog.tsx'
import { IconMenu2, IconRocket, IconSearch, IconServer2 } from '../components/icons.tsx'
import { Waiting } from '../components/waiting.tsx'
import { taskCountQuery } from '../review/tasks/task-queries.ts'
import { chooseEnvironment, type KeptEnvironment, keepEnvironment } from './kept-environment.ts'
import { NAVIGATION } from './navigation.ts'
import { firstPageOf, maySee } from './page-permissions.ts'
import './console-frame.css'
import { useIdleSignOut } from '../session/sign-out.ts'
import { UserMenu } from '../session/user-menu.tsx'
import { Finding, type FindingProps, type Opened } from './finding.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

/** Returns the environment of the address, or on pages without one the last that was open. */
function useChosen(): KeptEnvironment | undefined {
  const { organization, environments } = useSession()
  const { data: teams } = useSuspenseQuery(teamsQuery(organization.id))
  const { team, env } = useParams({ strict: false }) as Partial<KeptEnvironment>
  useEffect(() => {
    if (team !== undefined && env !== undefined) keepEnvironment({ team, env })
  }, [team, env])
  if (team !== undefined && env !== undefined) return { team, env }
  return chooseEnvironment(teams, environments)
}

function EnvironmentSwitch({ chosen }: { chosen: KeptEnvironment }): ReactNode {
  const session = useSession()
  const { environments } = session
  const { data: teams } = useSuspenseQuery(teamsQuery(session.organization.id))
  const navigate = useNavigate()
  const to = firstPageOf(session)
  const go = (params: KeptEnvironment): unknown => navigate({ to, params })
  return (
    <div className="frame-environment">
      <NativeSelect
        size="sm"
        aria-label="Team"
        value={chosen.team}
        onChange={({ currentTarget }) => go({ ...chosen, team: currentTarget.value })}
        data={teams.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label="Environment"
        value={chosen.env}
        onChange={(env) => go({ ...chosen, env: env as EnvironmentKind })}
        data={[
          { value: 'sandbox', label: 'Sandbox' },
          { value: 'production', label: 'Production' },
        ].map((choice) => ({
          ...choice,
          disabled: environments?.includes(choice.value as EnvironmentKind) === false,
        }))}
      />
    </div>
  )
}

/** The number of open tasks, beside their link; nothing while it is not known. */
function OpenTasks({ chosen }: { chosen: KeptEnvironment }): ReactNode {
  const { organization } = useSession()
  const { team, env } = chosen
  const api = teamApi({ org_id: organization.id, team_id: team, env })
  const { data } = useQuery(taskCountQuery({ team: api, key: [team, env] }))
  if (data === undefined || data.open === 0) return null
  return (
    <span className="frame-count">
      {data.open}
      <span className="visually-hidden"> open</span>
    </span>
  )
}

function SideLinks({ chosen }: { chosen: KeptEnvironment | undefined }): ReactNode {
  const session = useSession()
  const groups = NAVIGATION.map(({ title, links }) => ({
    title,
    links: links.filter(({ to }) => maySee(session, to)),
  }))
  return (
    <nav aria-label="Pages" className="frame-links">
      {chosen !== undefined &&
        groups
          .filter(({ links }) => links.length > 0)
          .map(({ title, links }) => (
            <div key={title} className="frame-group">
              {title !== '' && <span className="frame-group-title">{title}</span>}
              {links.map(({ to, title, Icon, ...options }) => (
                <Link
                  key={to}
                  to={to}
                  params={{ team: chosen.team, env: chosen.env }}
                  className="frame-link"
                  activeOptions={{ exact: 'exact' in options, includeSearch: false }}
                >
                  <Icon size={18} stroke={1.6} aria-hidden />
                  {title}
                  {title === 'Tasks' && <OpenTasks chosen={chosen} />}
                </Link>
              ))}
            </div>
          ))}
      <div className="frame-group">
        <span className="frame-group-title">Installation</span>
        <Link to="/start" className="frame-link">
          <IconRocket size={18} stroke={1.6} aria-hidden />
          First steps
        </Link>
        {session.is_operator && (
          <Link to="/operation" className="frame-link">
            <IconServer2 size={18} stroke={1.6} aria-hidden />
            Operation
          </Link>
        )}
      </div>
    </nav>
  )
}

interface SearchProps {
  onSearch: () => void
}

function Side({ onSearch }: SearchProps): ReactNode {
  const chosen = useChosen()
  return (
    <>
      <Link to="/" className="frame-brand">
        Salus
      </Link>
      {chosen !== undefined && <EnvironmentSwitch chosen={chosen} />}
      {chosen !== undefined && (
        <button type="button" className="frame-search" onClick={onSearch}>
          <IconSearch size={16} aria-hidden />
          Search
          <kbd aria-hidden>Ctrl K</kbd>
        </button>
      )}
      <SideLinks chosen={chosen} />
      <div className="frame-foot">
        <UserMenu />
        <ThemeSwitch />
      </div>
    </>
  )
}

/** On narrow screens the sidebar is behind a button. */
function NarrowHead({ onSearch }: SearchProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const address = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: closed by every change of the address
  useEffect(() => setOpen(false), [address])
  return (
    <header className="frame-head">
      <ActionIcon
        variant="subtle"
        size={44}
        aria-label="Open the menu"
        onClick={() => setOpen(true)}
      >
        <IconMenu2 size={22} aria-hidden />
      </ActionIcon>
      <Link to="/" className="frame-brand">
        Salus
      </Link>
      <Dialog title="Menu" isOpen={isOpen} onClose={() => setOpen(false)} className="frame-drawer">
        <Side
          onSearch={() => {
            setOpen(false)
            onSearch()
          }}
        />
      </Dialog>
    </header>
  )
}

function FindingInChosen(props: Omit<FindingProps, 'chosen'>): ReactNode {
  const chosen = useChosen()
  return chosen === undefined ? null : <Finding chosen={chosen} {...props} />
}

/** The frame around every page behind the sign-in. */
export function ConsoleFrame(): ReactNode {
  const { env } = useParams({ strict: false }) as Partial<KeptEnvironment>
  const [opened, setOpened] = useState<Opened>()
  useIdleSignOut()
  const search = (): void => setOpened('palette')
  return (
    <div className="frame" data-environment={env}>
      <a className="frame-skip" href="#main">
        Skip to content
      </a>
      <Suspense fallback={<Waiting label="Loading the console" />}>
        <aside className="frame-side">
          <Side onSearch={search} />
        </aside>
        <NarrowHead onSearch={search} />
        <main className="frame-main" id="main" tabIndex={-1}>
          <Outlet />
        </main>
        <FindingInChosen opened={opened} setOpened={setOpened} />
      </Suspense>
    </div>
  )
}
