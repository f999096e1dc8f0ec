//! Connections whose other end has to read.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// A stream on which a write fails if nothing could be written for too long: the answers to somebody who does not read
/// would else be kept for ever.
pub struct Draining<S> {
    stream: S,
    patience: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> Draining<S> {
    pub fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, waiting: None }
    }

    /// What came of a write, or the end of the patience if nothing has for that long.
    fn judge<T>(&mut self, context: &mut Context<'_>, wrote: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        let patience = self.patience;
        let judged = if wrote.is_ready() {
            wrote
        } else {
            let waiting = self.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
            waiting.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
        };
        if judged.is_ready() {
            self.waiting = None;
        }
        judged
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Draining<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Draining<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, wrote)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.judge(context, wrote)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.judge(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.judge(context, shut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn a_write_that_nobody_reads_fails_and_one_that_is_read_does_not() {
        let patience = Duration::from_millis(200);
        let (near, mut far) = tokio::io::duplex(4);
        let mut stream = Draining::new(near, patience);
        assert_eq!(stream.write_all(b"too long").await.unwrap_err().kind(), io::ErrorKind::TimedOut);

        let reading = tokio::spawn(async move {
            let mut read = Vec::new();
            while far.read_buf(&mut read).await.unwrap() > 0 {}
            read
        });
        stream.write_all(b", and read").await.unwrap();
        drop(stream);
        assert_eq!(reading.await.unwrap(), b"too , and read");
    }
}
