/** Storybook's preview: every story gets a world, and what it sends to the service is answered there. */
import { createMock } from 'acs-kit/mock'
import { acsLoader } from 'acs-kit/storybook'

export const loaders = [acsLoader(createMock(), 'https://api.acs.example')]
