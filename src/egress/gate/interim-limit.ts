import type { Dispatcher } from 'undici';
import { badAnswer, INTERIM_LIMIT } from '../proxy/http-relay.ts';
import { passedOn } from './passed-on.ts';

/** Ends a request of our own where its server sends interim answers (103 and others) without end, as the proxy does for browsers. */
export const limitInterimAnswers: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (request, handler) => {
  let interim = 0;
  return dispatch(request, {
    ...passedOn(handler),
    onResponseStart: (controller, status, ...head) => {
      if (status < 200) interim += 1;
      if (interim > INTERIM_LIMIT) controller.abort(badAnswer(`more than ${INTERIM_LIMIT} interim answers`));
      else handler.onResponseStart?.(controller, status, ...head);
    },
  });
};
