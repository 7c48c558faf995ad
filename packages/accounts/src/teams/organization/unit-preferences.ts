import { Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'

/**
 * Units in which pages show values (docs/contract/02-users.md#units). The API always returns the
 * units of its series. The first unit of each quantity is shown where no other was chosen.
 */
export const UNIT_CHOICES = {
  glucose: ['mmol/L', 'mg/dL'],
  distance: ['km', 'mi'],
  weight: ['kg', 'lb'],
  height: ['cm', 'ft_in'],
  temperature: ['°C', '°F'],
} as const
type UnitChoices = typeof UNIT_CHOICES
export type Quantity = keyof UnitChoices

const chosen = <Name extends Quantity>(name: Name) =>
  Type.Optional(
    Nullable(TextEnum(UNIT_CHOICES[name], { description: `Unit of ${name} on pages.` })),
  )

export const UnitPreferences = Type.Object(
  {
    glucose: chosen('glucose'),
    distance: chosen('distance'),
    weight: chosen('weight'),
    height: chosen('height'),
    temperature: chosen('temperature'),
  },
  {
    title: 'UnitPreferences',
    additionalProperties: false,
    description:
      'Units in which pages show values, by quantity; null or absent where none was chosen. The API returns the units of its series whatever is chosen.',
  },
)
export type UnitPreferences = Type.Static<typeof UnitPreferences>

export const ShownUnits = Type.Object(
  {
    glucose: TextEnum(UNIT_CHOICES.glucose),
    distance: TextEnum(UNIT_CHOICES.distance),
    weight: TextEnum(UNIT_CHOICES.weight),
    height: TextEnum(UNIT_CHOICES.height),
    temperature: TextEnum(UNIT_CHOICES.temperature),
  },
  {
    title: 'ShownUnits',
    description:
      'Units in which pages show values of the user: those chosen for the user, else for the team, else metric ones.',
  },
)
export type ShownUnits = Type.Static<typeof ShownUnits>

/** Returns the unit of each quantity from the first of the preferences that has one. */
export function shownUnits(...preferences: (UnitPreferences | null | undefined)[]): ShownUnits {
  const entries = Object.entries(UNIT_CHOICES).map(([name, [standard]]) => {
    const chosen = preferences.map((units) => units?.[name as Quantity])
    return [name, chosen.find((unit) => unit !== null && unit !== undefined) ?? standard]
  })
  return Object.fromEntries(entries)
}
