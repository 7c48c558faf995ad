import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { take } from '../api/client.ts'
import { useEnvironment } from '../api/environment.ts'
import { nameOf } from '../people/person/person-name.ts'
import { type FoundPerson, usePeople } from '../people/use-people.ts'
import './person-picker.css'

interface PersonPickerProps {
  label: string
  description?: ReactNode
  /** Id of who is chosen; empty when nobody is. */
  value: string
  onChange: (userId: string) => void
  error?: ReactNode
  required?: boolean
}

const titleOf = (person: FoundPerson): string => nameOf(person) ?? person.client_user_id

/** How the person of an id is called; undefined while that is not known. */
function useTitle(userId: string): string | undefined {
  const { key, team } = useEnvironment()
  const { data } = useQuery({
    queryKey: [...key, 'person-title', userId],
    queryFn: async ({ signal }) => {
      const { users } = await take(
        team.POST('/v2/user/search', { body: { query: userId, limit: 1 }, signal }),
      )
      const [person] = users
      return person === undefined ? null : titleOf(person)
    },
    enabled: userId !== '',
  })
  return data ?? undefined
}

/** Finds a person by name, e-mail address or any id. What is typed stays in the page. */
export function PersonPicker({ value, onChange, ...field }: PersonPickerProps): ReactNode {
  const [words, setWords] = useState('')
  const [isTyping, setTyping] = useState(false)
  const [searched] = useDebouncedValue(words, 200)
  const title = useTitle(value)
  const people = usePeople({ words: searched, provider: '', state: '' })
  const found = people.data?.pages[0]?.users ?? []
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const choose = (userId: string): void => {
    onChange(userId)
    setTyping(false)
    combobox.closeDropdown()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose} withinPortal={false}>
      <Combobox.Target>
        <TextInput
          {...field}
          placeholder="Name, e-mail or id"
          autoComplete="off"
          value={isTyping ? words : (title ?? value)}
          rightSection={people.isFetching && isTyping ? <Loader size="xs" /> : null}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => {
            setTyping(false)
            combobox.closeDropdown()
          }}
          onChange={({ currentTarget }) => {
            setTyping(true)
            setWords(currentTarget.value)
            combobox.openDropdown()
            combobox.selectFirstOption()
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label="People">
          {found.slice(0, 8).map((person) => (
            <Combobox.Option key={person.user_id} value={person.user_id}>
              <span className="person-picker-option">
                {titleOf(person)}
                <span className="quiet">{person.email ?? person.user_id.slice(0, 8)}</span>
              </span>
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>Nobody matches.</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
