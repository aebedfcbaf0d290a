//! A subscription to a stream, for hosts that are asynchronous.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::{Change, Subscription};

impl Stream for Subscription {
    type Item = Change;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Change>> {
        self.get_mut().poll_recv(context)
    }
}

#[cfg(test)]
mod tests;
