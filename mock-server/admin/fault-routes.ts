/** Admin paths of faults: the catalogue with its counters, and the rules that choose from it. */
import { type FaultMatch, matchFields } from '../faults/fault-match.ts'
import { refuseField, refuseMissing } from './admin-request.ts'
import { adminRoute } from './admin-route.ts'

const matchNames = Object.keys(matchFields)

export const faultRoutes = [
  adminRoute({
    method: 'GET',
    path: '/faults',
    about: 'lists all faults: settings, operations, and how often each was chosen, applied and missed',
    fields: {},
    act: ({ context }) => context.mock.faults.faultCatalogue(),
  }),
  adminRoute({
    method: 'GET',
    path: '/faults/rules',
    about: 'lists the rules with their counters, or those of one world',
    fields: { world: 'text' },
    act({ context, fields: { world } }) {
      const rules = context.mock.faults.rules()
      return world === undefined ? rules : rules.filter(({ match }) => match?.world === world)
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/faults/rules',
    about: `adds a rule; match takes ${matchNames.join(', ')}; times counts in each world`,
    fields: { fault: 'text', match: 'object', times: 'number', probability: 'number' },
    act({ context, fields }) {
      const { fault, match = {}, times, probability } = fields
      if (fault === undefined) throw refuseField(['body', 'fault'], 'is required', 'missing')
      return context.mock.faults.add({
        fault,
        match: matchOf(match),
        ...(times === undefined ? null : { times }),
        ...(probability === undefined ? null : { probability }),
      })
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/faults/rules',
    about: 'removes all rules, or those of one world',
    fields: { world: 'text' },
    act({ context, fields }) {
      context.mock.faults.clear(fields.world)
      return context.mock.faults.rules()
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/faults/rules/{rule}',
    about: 'removes one rule',
    fields: {},
    act({ context, path }) {
      const { rule = '' } = path
      const known = context.mock.faults.rules().map(({ id }) => id)
      if (!context.mock.faults.remove(rule)) throw refuseMissing('fault rule', rule, known)
      return { removed: path.rule }
    },
  }),
]

function matchOf(match: object): FaultMatch {
  for (const [name, value] of Object.entries(match)) {
    const loc = ['body', 'match', name]
    if (!matchNames.includes(name)) throw refuseField(loc, `is unknown; known: ${matchNames.join(', ')}`)
    if (typeof value !== 'string') throw refuseField(loc, 'must be a string', 'string_type')
  }
  return match as FaultMatch
}
