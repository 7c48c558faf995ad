import { TextInput, UnstyledButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useLanguage } from '../../i18n/messages.ts'
import { StepTitle } from '../../theme/page-frame.tsx'
import type { Provider } from '../link-client.ts'

/** Removes accents and case, so that any spelling is found. */
const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}|[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/** A shorter list has no search field. */
const FEWEST_TO_SEARCH = 6

export function ProviderListStep(props: {
  team: string
  providers: readonly Provider[]
  onChoose: (provider: Provider) => void
  /** Announces the number of matches to screen readers. */
  announce: (text: string) => void
}): ReactNode {
  const { t } = useLanguage()
  const [search, setSearch] = useState('')
  const { providers, announce } = props
  const find = (text: string): Provider[] =>
    providers.filter(({ name, slug }) => foldText(`${name} ${slug}`).includes(foldText(text)))
  const found = find(search)
  const change = (text: string): void => {
    const count = find(text).length
    setSearch(text)
    if (count === 0) announce('')
    else announce(count === 1 ? t('list_count_one') : t('list_count_other', { count: `${count}` }))
  }
  return (
    <>
      <StepTitle>{t('list_title')}</StepTitle>
      {providers.length >= FEWEST_TO_SEARCH && (
        <TextInput
          type="search"
          size="md"
          label={t('list_search')}
          autoComplete="off"
          value={search}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
      {found.length > 0 && (
        <ul className="providers">
          {found.map((provider) => (
            <li key={provider.slug}>
              <UnstyledButton className="provider" onClick={() => props.onChoose(provider)}>
                <img src={provider.logo} alt="" width="40" height="40" loading="lazy" />
                <span>{provider.name}</span>
                <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
                  <path d="M9 5l7 7-7 7" fill="none" stroke="currentColor" strokeWidth="2" />
                </svg>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      <p className="quiet" role="status">
        {providers.length === 0 && t('list_empty', { team: props.team })}
        {providers.length > 0 && found.length === 0 && t('list_none')}
      </p>
    </>
  )
}
