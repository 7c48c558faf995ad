import { TextInput, UnstyledButton } from '@mantine/core'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { useLanguage } from '../../i18n/messages.ts'
import { StepTitle } from '../../theme/page-frame.tsx'
import { appNameOf } from '../app-providers.registry.ts'
import type { AppProvider, Connection, Provider } from '../link-client.ts'
import { searchTextOf, toSearchWords } from '../provider-search.ts'

/** A shorter list has no search field. */
const FEWEST_TO_SEARCH = 6

interface Row {
  slug: string
  name: string
  logo: string
  /** State of the connection, where there is one. */
  status: string | undefined
  /** Text in which words are searched. */
  searched: string
  onChoose: () => void
}

interface ListProps {
  team: string
  providers: readonly Provider[]
  appProviders: readonly AppProvider[]
  connections: readonly Connection[]
  onChoose: (provider: Provider) => void
  onChooseApp: (provider: AppProvider) => void
  /** Announces the number of matches to screen readers. */
  announce: (text: string) => void
}

/** The list, in sections: connected already, other clouds, and what is on the phone. */
export function ProviderListStep(props: ListProps): ReactNode {
  const { t } = useLanguage()
  const [search, setSearch] = useState('')
  const { announce } = props
  const rows = useMemo(() => toRows(props), [props])
  const find = (text: string): Row[] => {
    const words = toSearchWords(text)
    return rows.all.filter(({ searched }) => words.every((word) => searched.includes(word)))
  }
  const found = new Set(find(search))
  const change = (text: string): void => {
    const count = find(text).length
    setSearch(text)
    if (count === 0) announce('')
    else announce(count === 1 ? t('list_count_one') : t('list_count_other', { count: `${count}` }))
  }
  const sections = [
    ['list_connected', rows.connected],
    [rows.connected.length === 0 ? 'list_online' : 'list_others', rows.others],
    ['list_phone', rows.apps],
  ] as const
  return (
    <>
      <StepTitle>{t('list_title')}</StepTitle>
      {rows.all.length >= FEWEST_TO_SEARCH && (
        <div className="provider-search">
          <TextInput
            type="search"
            size="md"
            label={t('list_search')}
            autoComplete="off"
            spellCheck={false}
            value={search}
            onChange={({ currentTarget }) => change(currentTarget.value)}
          />
        </div>
      )}
      {sections.map(([title, all]) => (
        <ProviderSection
          key={title}
          // A list of one section needs no heading.
          title={rows.others.length === rows.all.length ? undefined : t(title)}
          rows={all.filter((row) => found.has(row))}
        />
      ))}
      <p className="quiet" role="status">
        {rows.all.length === 0 && t('list_empty', { team: props.team })}
        {rows.all.length > 0 && found.size === 0 && t('list_none')}
      </p>
    </>
  )
}

function toRows({ providers, appProviders, connections, onChoose, onChooseApp }: ListProps) {
  const statuses = new Map(connections.map(({ slug, status }) => [slug, status]))
  const rowOf = (provider: AppProvider, onChoose: () => void): Row => {
    const { slug, logo } = provider
    const name = appNameOf(slug) ?? provider.name
    const searched = searchTextOf(slug, `${name} ${provider.name}`)
    return { slug, name, logo, status: statuses.get(slug), searched, onChoose }
  }
  const clouds = providers.map((provider) => rowOf(provider, () => onChoose(provider)))
  const phones = appProviders.map((provider) => rowOf(provider, () => onChooseApp(provider)))
  const isConnected = ({ status }: Row): boolean => status !== undefined
  const connected = [...clouds, ...phones].filter(isConnected)
  const others = clouds.filter((row) => !isConnected(row))
  const apps = phones.filter((row) => !isConnected(row))
  return { connected, others, apps, all: [...connected, ...others, ...apps] }
}

function ProviderSection(props: { title: string | undefined; rows: readonly Row[] }): ReactNode {
  const { title, rows } = props
  const id = useId()
  if (rows.length === 0) return null
  return (
    <section aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <h2 id={id} className="provider-heading">
          {title}
        </h2>
      )}
      <ul className="providers">
        {rows.map((row) => (
          <li key={row.slug}>
            <ProviderButton row={row} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ProviderButton({ row }: { row: Row }): ReactNode {
  const { t } = useLanguage()
  const { name, logo, status, onChoose } = row
  return (
    <UnstyledButton className="provider" onClick={onChoose}>
      <img src={logo} alt="" width="40" height="40" loading="lazy" decoding="async" />
      <span className="provider-name">{name}</span>
      {status !== undefined && (
        <span className={`provider-state provider-state-${status}`}>
          {status === 'connected'
            ? t('state_connected')
            : status === 'paused'
              ? t('state_paused')
              : t('state_error')}
        </span>
      )}
      <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
        <path d="M9 5l7 7-7 7" fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
    </UnstyledButton>
  )
}
